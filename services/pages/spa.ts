import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import express, { type Request, type RequestHandler, Router } from 'express';
import type { ClientConfig } from '../contracts/client-config.ts';
import { idSchema } from '../contracts/ids.ts';
import { BUY_PAGE, ITEM_PAGE, PAGES, type Page, pageAt } from '../contracts/pages.ts';
import type { ProductDocument } from '../contracts/product/product-document.ts';
import { currentDocument } from '../engine/projector/current-document.ts';
import type { ApiDependencies, Fallback } from '../http/dependencies.ts';
import { RequestRefused, retryAfter } from '../http/problem-details.ts';
import { CachedResponse, throughCache } from '../http/response-cache.ts';
import { admit } from '../http/serve-route.ts';
import { takeTurn } from '../http/take-turn.ts';
import { productList } from '../shop/product/product-documents.ts';
import { itemHead } from './item-head.ts';
import { jsonInScript, withHead } from './page-html.ts';
import {
  createPageMaker,
  reviewsShown,
  type Shown,
  shownOf,
  shownOfItem,
  shownToBuy,
  versionOf,
} from './prerendered-pages.ts';

/**
 * Matches the URLs of catalogue pages with a search, filter or sort order. The browser renders these pages, and the
 * server doesn't prerender them.
 */
const ASKS_FOR_OTHERS = /[?&](?:q|order|inStock)=/;
/** The maximum number of URLs in a site map (sitemaps.org). */
const MOST_ADDRESSES = 50_000;

/**
 * Serves the static files of the web client's build in `directory`, and responds with `index.html` to requests for the
 * client's pages (contracts/pages.ts). Each page contains the client's configuration, which the first paint needs. A
 * product's page also contains the details that search engines and link previews show. `origin` is the shop's origin as
 * browsers see it, e.g. `https://shop.example`.
 */
export function createSpa(directory: string, clientConfig: ClientConfig, origin: string): Fallback {
  const root = resolve(directory);
  const hashed = `${join(root, 'static')}${sep}`;
  const index = join(root, 'index.html');
  const config = jsonInScript(clientConfig);
  return (shop) => {
    const router = Router();
    const makeReady = createPageMaker(root, clientConfig);
    router.get('/robots.txt', (_request, response) => {
      response.set('Cache-Control', 'no-cache').type('text/plain').send(robots(origin));
    });
    router.get('/sitemap.xml', async (request, response) => {
      await admit(shop, `address:${request.ip}`);
      await takeTurn();
      const products = await shop.readModels.findIds(productList({ sort: 'newest' }), {
        limit: MOST_ADDRESSES - LISTED.length,
      });
      const paths = [...LISTED, ...products.map(({ id }) => `/items/${id}`)];
      response.set('Cache-Control', 'no-cache').type('application/xml').send(sitemap(origin, paths));
    });
    router.use('/static', smallest(join(root, 'static')));
    router.use(
      express.static(root, {
        index: false,
        redirect: false,
        setHeaders(response, path) {
          response.setHeader(
            'Cache-Control',
            path.startsWith(hashed) ? 'public, max-age=31536000, immutable' : 'no-cache',
          );
        },
      }),
    );
    router.use(async (request, response, next) => {
      const page = pageAt(request.path);
      const html = asksForPage(request, page) ? await readFile(index, 'utf8').catch(() => null) : null;
      if (html === null) {
        next();
        return;
      }
      const served =
        page?.path === ITEM_PAGE
          ? await servedItem(shop, request, origin)
          : await servedPage(shop, request, page, origin);
      if (!served.listed) response.set('X-Robots-Tag', 'noindex');
      if (page?.secret) response.set('Referrer-Policy', 'no-referrer');
      if (served.status === 503) response.set(retryAfter(1_000));
      response.status(served.status).set('Cache-Control', page?.secret ? 'no-store' : 'no-cache');
      const finished = (text: string) => withHead(text, config, served.head(), served.ownWords ?? false);
      const ready = served.shown && page ? await prerendered(html, page.path, served.shown, finished) : null;
      if (ready) await ready.send(response);
      else response.type('html').send(finished(html));
    });

    /**
     * Returns the page prerendered from the documents in `shown`, rendering it if it isn't cached. Returns null if the
     * browser should render the page (PAGE1).
     */
    function prerendered(index: string, kind: string, shown: Shown, finished: (text: string) => string) {
      const version = `${createHash('sha256').update(index).digest('base64url')} ${versionOf(shown)}`;
      return throughCache(shop.readModels, {
        key: `${shown.path} ${version}`,
        // The key contains the version, so a page in the cache is never out of date.
        version: async () => version,
        async make() {
          const made = await makeReady(shop, index, kind, shown);
          return made === null
            ? null
            : new CachedResponse(finished(made), version, { type: 'text/html; charset=utf-8' });
        },
      });
    }
    return router;
  };
}

/**
 * Serves the Brotli-compressed version (`.br`) of a script or stylesheet if the client accepts Brotli and the build has
 * one.
 */
function smallest(directory: string): RequestHandler {
  const inside = join(directory, '/');
  return async (request, response, next) => {
    const [kind] = request.path.match(/\.(js|css)$/) ?? [];
    if (kind === undefined || !request.acceptsEncodings('br')) return next();
    const small = join(directory, `${request.path}.br`);
    if (!small.startsWith(inside) || !(await isThere(small))) return next();
    request.url = `${request.path}.br`;
    response.type(kind).set('Content-Encoding', 'br').vary('Accept-Encoding');
    next();
  };
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

interface Served {
  readonly status: 200 | 404 | 503;
  readonly listed: boolean;
  /**
   * Returns HTML for the page's head. If `ownWords` is true, this HTML replaces index.html's description of the shop.
   * Otherwise, index.html keeps that description.
   */
  readonly head: () => string;
  readonly ownWords?: boolean;
  /** the documents to prerender the page from; null or absent if the browser renders the page */
  readonly shown?: Shown | null;
}

async function servedPage(shop: ApiDependencies, request: Request, page: Page | null, origin: string): Promise<Served> {
  const served = plainPage(page, origin);
  if (page === null || ASKS_FOR_OTHERS.test(request.url)) return served;
  try {
    await admit(shop, `address:${request.ip}`);
    if (page.path !== BUY_PAGE) return { ...served, shown: await shownOf(shop, page.path) };
    const product = await productAt(shop, request);
    return { ...served, shown: product && shownToBuy(product) };
  } catch (error) {
    // If a client is over its rate limit, the page is still served, but isn't prerendered from documents. That keeps
    // the response cheap.
    if (!(error instanceof RequestRefused))
      shop.logger.warn({ err: error }, 'could not read the documents of a page; the browser will fetch them');
    return served;
  }
}

function plainPage(page: Page | null, origin: string): Served {
  const image = `<meta property="og:image" content="${origin}/og-image.png" />`;
  if (!page?.listed) return { status: page ? 200 : 404, listed: false, head: () => image };
  const address = `${origin}${page.path}`;
  const links = `<link rel="canonical" href="${address}" /><meta property="og:url" content="${address}" />`;
  return { status: 200, listed: true, head: () => `${links}${image}` };
}

/**
 * Determines the response for a product's page. The status is 404 if the product is unknown or removed, and 503 if its
 * documents can't be read. In both cases, the client shows an error message to the shopper.
 */
async function servedItem(shop: ApiDependencies, request: Request, origin: string): Promise<Served> {
  await admit(shop, `address:${request.ip}`);
  const { head } = plainPage(null, origin);
  try {
    const product = await productAt(shop, request);
    if (product === null) return { status: 404, listed: false, head };
    const shown = await shownOfItem(shop, product);
    const words = () => itemHead(product, reviewsShown(shown), origin);
    return { status: 200, listed: true, head: words, ownWords: true, shown };
  } catch (error) {
    shop.logger.warn({ err: error }, 'could not read the documents of a product page; responded with status 503');
    return { status: 503, listed: false, head };
  }
}

/** Returns the product whose id is in the page's URL, or null if the product is unknown or removed. */
async function productAt(shop: ApiDependencies, request: Request): Promise<ProductDocument | null> {
  const id = idSchema.safeParse(request.path.split('/').filter(Boolean)[1]);
  const product = id.success ? await currentDocument(shop, 'product', id.data) : null;
  return product?.removed ? null : product;
}

/**
 * Returns whether to respond with one of the client's pages. On a known path, any request that accepts HTML gets the
 * page, even a crawler's request without an Accept header. On an unknown path, only a browser's navigation gets the 404
 * page.
 */
function asksForPage(request: Request, page: Page | null): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return page ? request.accepts('html') !== false : (request.get('accept')?.includes('text/html') ?? false);
}

/**
 * Allows crawlers to fetch every page, because only a crawler that fetches a page sees that the page is marked
 * `noindex`.
 */
function robots(origin: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;
}

const LISTED = PAGES.filter(({ path, listed }) => listed && path !== ITEM_PAGE).map(({ path }) => path);

function sitemap(origin: string, paths: readonly string[]): string {
  const urls = paths.map((path) => `  <url><loc>${origin}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}
