import type { ProductDocument } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';

/** Folds one event into a product's document (PRJ2). */
export function projectProduct(before: ProductDocument | null, event: RecordedEvent): ProductDocument | null {
  if (event.type === 'ProductAdded') {
    return {
      kind: 'product',
      id: event.subject.slice('product-'.length),
      version: event.streamversion,
      createdAt: event.time,
      ...event.data,
      removed: false,
    };
  }
  if (before === null) return null;
  const next = { ...before, version: event.streamversion };
  switch (event.type) {
    case 'ProductChanged':
      return { ...next, ...event.data.changes };
    case 'ProductRemoved':
      return { ...next, removed: true };
    case 'StockReduced':
      return { ...next, quantity: before.quantity - event.data.draft.quantity };
    case 'StockReturned':
      return { ...next, quantity: before.quantity + event.data.quantity };
    case 'StockAdjusted':
      return { ...next, quantity: before.quantity + event.data.by };
    default:
      return next;
  }
}
