import { isDeepStrictEqual } from 'node:util';
import { accept, type Decider, type Decision, NOTHING_TO_DO, refuse, unreachable } from '../../contracts/decider.ts';
import type { DomainEvent } from '../../contracts/events.ts';
import { MAX_TOTAL_TAKA, totalTaka } from '../../contracts/money.ts';
import type { ProductDetails } from '../../contracts/product/product-events.ts';
import {
  evolveProduct,
  initialProductState,
  PRODUCT_FOLD,
  type ProductCommand,
  type ProductState,
  parseProductState,
  type ReduceStock,
} from './product.ts';

type Change = Extract<ProductCommand, { type: 'ChangeProduct' }>;

export const productDecider: Decider<ProductState, ProductCommand> = {
  kind: 'product',
  initialState: initialProductState,
  opening: 'bare',
  snapshot: { fold: PRODUCT_FOLD, parse: parseProductState },
  evolve: evolveProduct,
  decide(command, state, context) {
    switch (command.type) {
      case 'AddProduct': {
        const added: DomainEvent = { type: 'ProductAdded', data: { ...command.details, quantity: command.quantity } };
        return state.status === 'absent' ? accept(added) : repeat(context.prior, added);
      }
      case 'ChangeProduct':
        return change(command, state, context.version);
      case 'RemoveProduct':
        if (state.status === 'absent') return refuse({ code: 'not_found' });
        return state.status === 'removed' ? NOTHING_TO_DO : accept({ type: 'ProductRemoved', data: {} });
      case 'ReduceStock':
        return context.prior.length > 0 ? repeatReduction(context.prior, command) : reduce(command, state);
      case 'ReturnStock':
        if (context.prior.length > 0) return NOTHING_TO_DO;
        if (state.status === 'absent') return refuse({ code: 'not_found' });
        return accept({ type: 'StockReturned', data: { orderId: command.orderId, quantity: command.quantity } });
      default:
        return unreachable(command);
    }
  },
};

function repeat(prior: readonly DomainEvent[], same: DomainEvent): Decision {
  return isDeepStrictEqual(prior[0]?.data, same.data) ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
}

function change(command: Change, state: ProductState, version: number): Decision {
  if (state.status !== 'listed') return refuse({ code: 'not_found' });
  const events: DomainEvent[] = [];
  const changes = Object.fromEntries(
    Object.entries(command.changes).filter(([field, value]) => state.details[field as keyof ProductDetails] !== value),
  );
  if (Object.keys(changes).length > 0) events.push({ type: 'ProductChanged', data: { changes } });
  if (command.stock) {
    if (command.stock.seenVersion !== version) return refuse({ code: 'stale_version', version });
    const by = command.stock.quantity - state.stock;
    if (by !== 0) events.push({ type: 'StockAdjusted', data: { by } });
  }
  return accept(...events);
}

function reduce(command: ReduceStock, state: ProductState): Decision {
  const { orderId, number, productId, quantity, placedAt, expiresAt } = command;
  if (state.status !== 'listed') return refuse({ code: 'not_found', id: productId });
  const { price, minorder, name } = state.details;
  if (command.seenPrice !== undefined && command.seenPrice !== price) {
    return refuse({ code: 'price_changed', productId, price });
  }
  if (quantity < minorder || quantity > state.stock) {
    return refuse({ code: 'quantity_out_of_range', productId, minorder, stock: state.stock });
  }
  const total = totalTaka(price, quantity);
  if (total > MAX_TOTAL_TAKA) return refuse({ code: 'total_too_large', total });
  const draft = { orderId, number, productId, product: name, quantity, price, total, placedAt, expiresAt };
  return accept({ type: 'StockReduced', data: { draft, person: command.userId, personal: command.delivery } });
}

/** A repeated request gets the same outcome as the first one, whatever the price and stock are now (CMD3). */
function repeatReduction(prior: readonly DomainEvent[], command: ReduceStock): Decision {
  const first = prior[0];
  const same =
    first?.type === 'StockReduced' &&
    first.data.draft.quantity === command.quantity &&
    isDeepStrictEqual(first.data.personal, command.delivery);
  return same ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
}
