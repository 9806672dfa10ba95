import { z } from 'zod';
import type { DomainEvent } from '../../contracts/events.ts';
import type { Delivery } from '../../contracts/order/order-draft.ts';
import { type ProductDetails, productDetailsSchema } from '../../contracts/product/product-events.ts';

/** A removed product keeps its stock, because stock from cancelled orders is still returned to it. */
export type ProductState =
  | { readonly status: 'absent' }
  | { readonly status: 'listed' | 'removed'; readonly details: ProductDetails; readonly stock: number };

export type ProductCommand =
  | { readonly type: 'AddProduct'; readonly details: ProductDetails; readonly quantity: number }
  | {
      readonly type: 'ChangeProduct';
      readonly changes: Partial<ProductDetails>;
      /** the new stock, and the version of the product that the admin saw */
      readonly stock?: { readonly quantity: number; readonly seenVersion: number } | undefined;
    }
  | { readonly type: 'RemoveProduct' }
  | {
      readonly type: 'ReduceStock';
      readonly orderId: string;
      readonly number: string;
      readonly productId: string;
      readonly quantity: number;
      /** the unit price that the shopper saw, in poisha */
      readonly seenPrice?: number | undefined;
      readonly userId: string;
      readonly delivery: Delivery;
      readonly placedAt: string;
      readonly expiresAt: string;
    }
  | { readonly type: 'ReturnStock'; readonly orderId: string; readonly quantity: number };

export type ReduceStock = Extract<ProductCommand, { type: 'ReduceStock' }>;

export const initialProductState: ProductState = { status: 'absent' };

/** Increment this number whenever evolveProduct changes or old events are read differently, so that old snapshots are ignored. */
export const PRODUCT_FOLD = 1;

const knownProductSchema = z.object({
  status: z.enum(['listed', 'removed']),
  details: productDetailsSchema,
  stock: z.number().int(),
});

export function parseProductState(kept: unknown): ProductState | null {
  return knownProductSchema.safeParse(kept).data ?? null;
}

/** stock = added + adjusted - reduced + returned (ORD2) */
export function evolveProduct(state: ProductState, event: DomainEvent): ProductState {
  if (event.type === 'ProductAdded') {
    const { quantity, ...details } = event.data;
    return { status: 'listed', details, stock: quantity };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'ProductChanged':
      return { ...state, details: { ...state.details, ...event.data.changes } };
    case 'ProductRemoved':
      return { ...state, status: 'removed' };
    case 'StockReduced':
      return { ...state, stock: state.stock - event.data.draft.quantity };
    case 'StockReturned':
      return { ...state, stock: state.stock + event.data.quantity };
    case 'StockAdjusted':
      return { ...state, stock: state.stock + event.data.by };
    default:
      return state;
  }
}
