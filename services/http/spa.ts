import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import express, { type Request, type RequestHandler, Router } from 'express';
import type { ClientConfig } from '../contracts/answers.ts';
import { PAGES, type Page, pageAt } from '../contracts/pages.ts';

/** The element of index.html that takes the client's configuration. */
const CONFIG_ELEMENT = '<script type="application/json" id="client-config">';

/**
 * Serves the built web client: its files, and `index.html` for its pages (contracts/pages.ts). Files under `static/` carry a
 * hash in their name, so they never change. The page carries the answer of `/config.json`, so that the client knows before its
 * first paint what shop it is. `origin` is how browsers reach the shop, e.g. `https://shop.example`.
 */
export function createSpa(directory: string, clientConfig: ClientConfig, origin: string): RequestHandler {
  const root = resolve(directory);
  const hashed = `${join(root, 'static')}${sep}`;
  const index = join(root, 'index.html');
  // A '<' in it would end the element.
  const config = JSON.stringify(clientConfig).replaceAll('<', '\\u003c');
  const router = Router();
  router.get('/robots.txt', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('text/plain').send(robots(origin));
  });
  router.get('/sitemap.xml', (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('application/xml').send(sitemap(origin));
  });
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
    if (!page?.listed) response.set('X-Robots-Tag', 'noindex');
    response
      .status(page ? 200 : 404)
      .set('Cache-Control', 'no-cache')
      .type('html')
      .send(html.replace(CONFIG_ELEMENT, () => `${headOf(page, origin)}${CONFIG_ELEMENT}${config}`));
  });
  return router;
}

/**
 * Link previews, crawlers and monitors take anything, or say nothing of what they take. Under a path that is no page only who
 * navigates gets one, with a way on; whoever asks for a file or for data is told so plainly.
 */
function asksForPage(request: Request, page: Page | null): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return page ? request.accepts('html') !== false : (request.get('accept')?.includes('text/html') ?? false);
}

/** What of the head depends on the page and on how the shop is reached. */
function headOf(page: Page | null, origin: string): string {
  const image = `<meta property="og:image" content="${origin}/og-image.png" />`;
  if (!page?.listed) return image;
  const address = `${origin}${page.path}`;
  return `<link rel="canonical" href="${address}" /><meta property="og:url" content="${address}" />${image}`;
}

/** Pages that are not to be found say so themselves, which only a crawler that may read them learns. */
function robots(origin: string): string {
  return `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`;
}

function sitemap(origin: string): string {
  const urls = PAGES.filter(({ listed }) => listed).map(({ path }) => `  <url><loc>${origin}${path}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}
