import * as z from 'zod/mini';
import type { ClientConfig } from './answers.ts';
import { productViewSchema, reviewViewSchema } from './views.ts';

const rows = { next: z.nullable(z.string()), etag: z.string() };

/** The data that a prerendered page shows. It's embedded next to the HTML, so that the browser starts from the same data. */
export const readyDataSchema = z.object({
  product: z.optional(productViewSchema),
  /** the newest products; `next` is the path of the next page, `etag` is the ETag of the list's response */
  products: z.optional(z.object({ views: z.array(productViewSchema), ...rows })),
  /** reviews of `product`, if there is one */
  reviews: z.optional(z.object({ views: z.array(reviewViewSchema), ...rows })),
});
export type ReadyData = z.infer<typeof readyDataSchema>;

/** The id of the element that contains the data. */
export const READY_DATA = 'ready-data';

/** The part of the client's build that renders its pages on the server. It's at `PAGE_MAKER` in the build's folder. */
export interface PageMaker {
  /** by the page's path in pages.ts: the source files that the page needs in the browser, as the build's manifest names them */
  readonly SOURCES: Readonly<Record<string, readonly string[]>>;
  /** Returns the HTML inside `#root`. */
  renderPage(path: string, data: ReadyData, config: ClientConfig): string;
}
export const PAGE_MAKER = '.ready/prerendered-page.js';
