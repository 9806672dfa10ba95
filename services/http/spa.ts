import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import express, { type Request, type RequestHandler, Router } from 'express';
import type { ClientConfig } from '../contracts/answers.ts';
import { PAGES, type Page, pageAt } from '../contracts/pages.ts';

const CONFIG_ELEMENT = '<script type="application/json" id="client-config">';

/**
 * Serves the built web client: its files, and `index.html` for its pages (contracts/pages.ts). The page embeds the client's
 * configuration, which the first paint needs. `origin` is how browsers reach the shop, e.g. `https://shop.example`.
 */
export function createSpa(directory: string, clientConfig: ClientConfig, origin: string): RequestHandler {
  const root = resolve(directory);
  const hashed = `${join(root, 'static')}${sep}`;
  const index = join(root, 'index.html');
  // A '</script>' in it would end the element.
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

/** Crawlers send any Accept header or none, and get every page. Of other paths only a navigation gets the 404 page. */
function asksForPage(request: Request, page: Page | null): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return page ? request.accepts('html') !== false : (request.get('accept')?.includes('text/html') ?? false);
}

function headOf(page: Page | null, origin: string): string {
  const image = `<meta property="og:image" content="${origin}/og-image.png" />`;
  if (!page?.listed) return image;
  const address = `${origin}${page.path}`;
  return `<link rel="canonical" href="${address}" /><meta property="og:url" content="${address}" />${image}`;
}

/** Allows everything: unlisted pages say `noindex` themselves, which a crawler has to fetch to see. */
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
