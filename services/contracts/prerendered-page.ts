import * as z from 'zod/mini';
import type { ClientConfig } from './answers.ts';
import { productViewSchema, reviewViewSchema } from './views.ts';

const rows = { next: z.nullable(z.string()), etag: z.string() };

/** What a ready page shows, which stands in it beside its HTML: the browser begins with the same. */
export const readyDataSchema = z.object({
  product: z.optional(productViewSchema),
  /** the newest; `next` is the path of those after them, `etag` that of the list's answer */
  products: z.optional(z.object({ views: z.array(productViewSchema), ...rows })),
  /** of the product where there is one */
  reviews: z.optional(z.object({ views: z.array(reviewViewSchema), ...rows })),
});
export type ReadyData = z.infer<typeof readyDataSchema>;

/** The id of the element that holds them. */
export const READY_DATA = 'ready-data';

/** The part of the client's build that makes its pages on the server; in its folder under this name. */
export interface PageMaker {
  /** the sources that each page needs in the browser, as the build's manifest names them, by the page's path in pages.ts */
  readonly SOURCES: Readonly<Record<string, readonly string[]>>;
  /** Returns what stands in `#root`. */
  renderPage(path: string, data: ReadyData, config: ClientConfig): string;
}
export const PAGE_MAKER = '.ready/prerendered-page.js';
