import type { ProductDocument } from '../../contracts/product/product-document.ts';

type Compared = Pick<ProductDocument, 'processor' | 'gpu' | 'description' | 'price'>;

/**
 * Returns the buyable products that are most similar to `product`, best match first. Equally good matches are returned
 * in the sequence of `others`. If `product` is null, returns the first buyable products.
 */
export function mostLike<P extends Compared & Pick<ProductDocument, 'quantity' | 'minorder'>>(
  product: Compared | null,
  others: readonly P[],
  limit: number,
): P[] {
  const buyable = others.filter(({ quantity, minorder }) => quantity >= minorder);
  if (product === null) return buyable.slice(0, limit);
  const likeness = new Map(buyable.map((other) => [other, likenessOf(product, other)]));
  return buyable.toSorted((one, two) => (likeness.get(two) ?? 0) - (likeness.get(one) ?? 0)).slice(0, limit);
}

/** Returns a score from 0 to 4. Processor, graphics card, description and price each contribute at most 1. */
function likenessOf(one: Compared, two: Compared): number {
  const fields = ['processor', 'gpu', 'description'] as const;
  const words = fields.reduce((sum, field) => sum + sharedWords(one[field], two[field]), 0);
  return words + Math.min(one.price, two.price) / Math.max(one.price, two.price);
}

/** Returns the share of words that two texts have in common (Jaccard index), from 0 to 1. */
function sharedWords(one: string, two: string): number {
  const [first, second] = [wordsOf(one), wordsOf(two)];
  const all = new Set([...first, ...second]).size;
  return all === 0 ? 0 : (first.size + second.size - all) / all;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
