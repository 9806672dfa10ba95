import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { ClientConfig } from '../contracts/client-config.ts';
import { PAYMENT_PAGE } from '../contracts/pages.ts';
import { PAGE_MAKER, type PageMaker, type ReadyData } from '../contracts/prerendered-page.ts';
import type { ProductDocument } from '../contracts/product/product-document.ts';
import type { ProductView } from '../contracts/product/product-view.ts';
import type { ReviewView } from '../contracts/review/review-view.ts';
import type { ApiDependencies } from '../http/dependencies.ts';
import { cachedListPage } from '../http/response-cache.ts';
import { productList } from '../shop/product/product-documents.ts';
import { productView } from '../shop/product/product-view.ts';
import { reviewList } from '../shop/review/review-documents.ts';
import { reviewView } from '../shop/review/review-view.ts';
import { type PageFiles, prerenderedHtml } from './page-html.ts';

/** A product's rating is computed from at most this many of its newest reviews. */
const RATED_BY = 200;
/** The number of products that are prerendered on each page. The browser fetches the others. */
const PRODUCTS_ON = { '/': 3, '/allproducts': 24 };
const REVIEWS_AT_HOME = 5;
/** The fraction of this thread's time that prerendering may use. Once that time is used up, browsers render the pages. */
const SHARE = 0.1;
/** The maximum amount of unused prerendering time that can be saved up, in milliseconds. */
const MOST_SAVED = 1_000;

type List = 'products' | 'reviews';
type ShownList = Awaited<ReturnType<typeof cachedListPage>>;
/** A page's path, and the product and the lists that the page shows. */
export interface Shown {
  readonly path: string;
  readonly product?: ProductDocument;
  readonly lists: Readonly<Partial<Record<List, ShownList>>>;
}

const newestProducts = (shop: ApiDependencies, limit: number): Promise<ShownList> =>
  cachedListPage(
    shop,
    { query: productList({ sort: 'newest' }), view: productView },
    { limit },
    `/products?sort=newest&limit=${limit}`,
  );

const newestReviews = (shop: ApiDependencies, limit: number, name?: string): Promise<ShownList> => {
  const of = name === undefined ? '' : `${new URLSearchParams({ name })}&`;
  return cachedListPage(
    shop,
    { query: reviewList({ sort: 'newest', name }), view: reviewView },
    { limit },
    `/reviews?${of}sort=newest&limit=${limit}`,
  );
};

/** Returns the product and the reviews that the product's page shows. */
export async function shownOfItem(shop: ApiDependencies, product: ProductDocument): Promise<Shown> {
  const reviews = await newestReviews(shop, RATED_BY, product.name);
  return { path: `/items/${product.id}`, product, lists: { reviews } };
}

/**
 * Returns the documents that the order form shows. Until the browser knows whether the shopper is signed in, the form
 * shows just the product.
 */
export const shownToBuy = (product: ProductDocument): Shown => ({ path: `/buypage/${product.id}`, product, lists: {} });

/**
 * For the home page and the catalogue, returns the lists that they show. For the payment page, returns no documents, so
 * that everyone gets the same page. For any other path, returns null.
 */
export async function shownOf(shop: ApiDependencies, path: string): Promise<Shown | null> {
  if (path === PAYMENT_PAGE) return { path, lists: {} };
  if (path !== '/' && path !== '/allproducts') return null;
  const [products, reviews] = await Promise.all([
    newestProducts(shop, PRODUCTS_ON[path]),
    path === '/' ? newestReviews(shop, REVIEWS_AT_HOME) : undefined,
  ]);
  return { path, lists: { products, ...(reviews && { reviews }) } };
}

export const reviewsShown = ({ lists: { reviews } }: Shown): ReviewView[] => viewsOf<ReviewView>(reviews);

const viewsOf = <V>(list: ShownList | undefined): V[] => (list ? (JSON.parse(list.body.text()) as V[]) : []);

/** Returns a string that changes whenever a document or list on the page changes. */
export function versionOf({ product, lists }: Shown): string {
  return [
    product?.version,
    ...Object.entries(lists).map(([of, { body }]) => `${of} ${body.version} ${body.etag}`),
  ].join();
}

function rowsOf<V>(list: ShownList | undefined) {
  if (list === undefined) return undefined;
  return { views: viewsOf<V>(list), next: /<(.*?)>/.exec(list.headers.Link ?? '')?.[1] ?? null, etag: list.body.etag };
}

const dataOf = ({ product, lists: { products, reviews } }: Shown): ReadyData => ({
  product: product && productView(product),
  products: rowsOf<ProductView>(products),
  reviews: rowsOf<ReviewView>(reviews),
});

interface Client {
  readonly maker: PageMaker;
  readonly manifest: z.infer<typeof manifestSchema>;
}

const manifestSchema = z.record(
  z.string(),
  z.object({ file: z.string(), imports: z.array(z.string()).default([]), css: z.array(z.string()).default([]) }),
);

/** Returns a function that prerenders pages with the components of the client in `directory` (PAGE1). */
export function createPageMaker(directory: string, config: ClientConfig) {
  const budget = createTimeBudget();
  let loaded: { readonly index: string; readonly client: Promise<Client | null> } | undefined;

  /** Returns the loaded client. Reloads it first if index.html has changed, because that means there is a new build. */
  function clientOf(index: string): Promise<Client | null> {
    if (loaded?.index !== index) loaded = { index, client: loadClient(directory) };
    return loaded.client;
  }

  /** Returns `index` with the prerendered content, or null if the browser should render the page. */
  return async ({ logger }: ApiDependencies, index: string, kind: string, shown: Shown): Promise<string | null> => {
    const client = await clientOf(index).catch((error: unknown) => {
      logger.warn({ err: error }, "could not load the client's page renderer; browsers will render all pages");
      return null;
    });
    const sources = client?.maker.SOURCES[kind];
    if (client === null || sources === undefined || budget.isSpent()) return null;
    const begin = performance.now();
    const data = dataOf(shown);
    try {
      const made = client.maker.renderPage(shown.path, data, config);
      return prerenderedHtml(index, made, data, filesOf(client.manifest, sources));
    } catch (error) {
      logger.warn({ err: error, path: shown.path }, 'could not prerender a page; the browser will render it');
      return null;
    } finally {
      budget.spend(performance.now() - begin);
    }
  };
}

/** Limits the time spent on prerendering. The budget grows by `SHARE` of the elapsed time, up to `MOST_SAVED` ms. */
function createTimeBudget() {
  let saved = MOST_SAVED;
  let savedAt = performance.now();
  return {
    isSpent(): boolean {
      const now = performance.now();
      saved = Math.min(MOST_SAVED, saved + SHARE * (now - savedAt));
      savedAt = now;
      return saved <= 0;
    },
    spend(milliseconds: number): void {
      saved -= milliseconds;
    },
  };
}

/** Loads the renderer, which is the script in the build that prerenders pages. Returns null if the build has no such script. */
async function loadClient(directory: string): Promise<Client | null> {
  const file = join(directory, PAGE_MAKER);
  if (!existsSync(file)) return null;
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(directory, '.vite', 'manifest.json'), 'utf8')));
  // Node caches modules by URL. The name of the build's entry file changes with each build, so appending that name to
  // the renderer's URL makes Node load the new renderer.
  const address = pathToFileURL(file);
  address.search = manifest['index.html']?.file ?? '';
  return { maker: await import(address.href), manifest };
}

/** Returns the files that every page loads, with the entry script last, and the other files that `sources` need. */
function filesOf(manifest: Client['manifest'], sources: readonly string[]): { base: PageFiles; own: PageFiles } {
  const seen = new Set<string>();
  const add = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    manifest[name]?.imports.forEach(add);
  };
  const filesFrom = (names: readonly string[]): PageFiles => {
    const files = names.flatMap((name) => manifest[name] ?? []);
    return { scripts: files.map(({ file }) => file), styles: files.flatMap(({ css }) => css) };
  };
  add('index.html');
  const [entry = '', ...imports] = seen;
  sources.forEach(add);
  return {
    base: filesFrom([...imports, entry]),
    own: filesFrom([...seen].slice(1 + imports.length)),
  };
}
