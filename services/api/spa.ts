import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import express, { type RequestHandler, Router } from 'express';
import type { ClientConfig } from '../contracts/answers.ts';

/** The element of index.html that takes the client's configuration. */
const CONFIG_ELEMENT = '<script type="application/json" id="client-config">';

/**
 * Serves the built web client: its files, and `index.html` for every other page that a browser navigates to, since the
 * client knows its own routes. Files under `static/` carry a hash in their name, so they never change. The page carries the
 * answer of `/config.json`, so that the client knows before its first paint what shop it is.
 */
export function createSpa(directory: string, clientConfig: ClientConfig): RequestHandler {
  const root = resolve(directory);
  const hashed = `${join(root, 'static')}${sep}`;
  const index = join(root, 'index.html');
  // A '<' in it would end the element.
  const config = JSON.stringify(clientConfig).replaceAll('<', '\\u003c');
  const router = Router();
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
    const navigates = ['GET', 'HEAD'].includes(request.method) && request.headers.accept?.includes('text/html');
    const page = navigates ? await readFile(index, 'utf8').catch(() => null) : null;
    if (page === null) {
      next();
      return;
    }
    response.set('Cache-Control', 'no-cache').type('html');
    response.send(page.replace(CONFIG_ELEMENT, () => `${CONFIG_ELEMENT}${config}`));
  });
  return router;
}
