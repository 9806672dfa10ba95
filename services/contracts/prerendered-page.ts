import * as z from 'zod/mini';
import type { ClientConfig } from './client-config.ts';
import { productViewSchema } from './product/product-view.ts';
import { reviewViewSchema } from './review/review-view.ts';

const rows = { next: z.nullable(z.string()), etag: z.string() };

/**
 * The data shown on a prerendered page. It's embedded in the page along with the HTML, so that the browser starts from
 * the same data.
 */
export const readyDataSchema = z.object({
  product: z.optional(productViewSchema),
  /** the newest products; `next` is the path of the next page, and `etag` is the list response's ETag */
  products: z.optional(z.object({ views: z.array(productViewSchema), ...rows })),
  /** the newest reviews of `product`, or of all products if `product` is absent */
  reviews: z.optional(z.object({ views: z.array(reviewViewSchema), ...rows })),
});
export type ReadyData = z.infer<typeof readyDataSchema>;

/** The id of the HTML element that contains a prerendered page's data. */
export const READY_DATA = 'ready-data';

/** The module in the client's build that renders pages on the server. Its path in the build folder is PAGE_MAKER. */
export interface PageMaker {
  /** maps each page's path (see pages.ts) to the source files that the page needs in the browser, named as in the build's manifest */
  readonly SOURCES: Readonly<Record<string, readonly string[]>>;
  /** Returns the HTML to put inside `#root`. */
  renderPage(path: string, data: ReadyData, config: ClientConfig): string;
}
export const PAGE_MAKER = '.ready/prerendered-page.js';
