import type { StoredEvent } from './events.ts';

type Data = Readonly<Record<string, unknown>>;

export interface Repaired {
  readonly data: Record<string, unknown>;
  readonly difference: string;
}

const LEAST_POISHA = 1;

/**
 * Returns the repaired data of an event that should never have been written, or null if nothing is wrong with the
 * event. The shop once accepted prices below half a poisha and rounded them to 0. If an event changes a product's price
 * to 0, the change is ignored. Any other price of 0 is read as the lowest price. The function is pure (PRJ2).
 */
export function repair({ type, data }: Pick<StoredEvent, 'type' | 'data'>): Repaired | null {
  switch (type) {
    case 'ProductChanged': {
      if (!isPricedAtZero(data.changes)) return null;
      const { price: _, ...changes } = data.changes;
      return { data: { ...data, changes }, difference: 'its price of 0 is ignored: the product keeps its price' };
    }
    case 'ProductAdded':
      return isPricedAtZero(data) ? { data: atLeastPrice(data), difference: LEAST_PRICE } : null;
    case 'StockReduced':
    case 'OrderPlaced': {
      if (!isPricedAtZero(data.draft)) return null;
      return { data: { ...data, draft: atLeastPrice(data.draft) }, difference: LEAST_PRICE };
    }
    default:
      return null;
  }
}

const LEAST_PRICE = 'its price of 0 is read as 0.01 taka, the lowest price';

function isPricedAtZero(data: unknown): data is Data & { price: 0 } {
  return typeof data === 'object' && data !== null && 'price' in data && data.price === 0;
}

function atLeastPrice(data: Data): Record<string, unknown> {
  return { ...data, price: LEAST_POISHA };
}
