import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { ProductDocument } from '../../contracts/product/product-document.ts';
import { evolveProduct, initialProductState, type ProductState } from './product.ts';

/** Folds one event into a product's document (PRJ2). */
export function projectProduct(before: ProductDocument | null, event: RecordedEvent): ProductDocument | null {
  const state = evolveProduct(before ? stateOf(before) : initialProductState, event);
  if (state.status === 'absent') return null;
  return {
    kind: 'product',
    id: before?.id ?? parseStreamName(event.subject).id,
    version: event.streamversion,
    createdAt: before?.createdAt ?? event.time,
    ...state.details,
    quantity: state.stock,
    removed: state.status === 'removed',
  };
}

function stateOf({ kind, id, version, createdAt, quantity, removed, ...details }: ProductDocument): ProductState {
  return { status: removed ? 'removed' : 'listed', details, stock: quantity };
}
