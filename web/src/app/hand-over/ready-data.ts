import { READY_DATA, type ReadyData, readyDataSchema } from '@micro-center/services/contracts/prerendered-page.ts';
import { writtenEntry, writtenRows } from '../../live/follow.ts';
import { productsFound, productWith } from '../../shop/products/product.api.ts';
import { allReviews, reviewsOf } from '../../shop/reviews/reviews.api.ts';
import type { AppDispatch } from '../store.ts';

/** Returns the data from which the server prerendered this page, or null if the page isn't prerendered. */
export function readyData(): ReadyData | null {
  const written = document.getElementById(READY_DATA)?.textContent;
  return written ? (readyDataSchema.safeParse(JSON.parse(written)).data ?? null) : null;
}

/** Removes the prerendered data from the page. Call this once the data is in the store. */
export const forgetReadyData = (): void => document.getElementById(READY_DATA)?.remove();

/** Fills the store with the data that a prerendered page shows. */
export function takeReadyData(dispatch: AppDispatch, { product, products, reviews }: ReadyData): void {
  if (product) dispatch(writtenEntry(productWith(product._id), product));
  if (products) dispatch(writtenRows(productsFound(), products));
  if (reviews) dispatch(writtenRows(product ? reviewsOf(product.name) : allReviews, reviews));
}
