import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import express, { type RequestHandler, Router } from 'express';

/**
 * Serves the built web client: its files, and `index.html` for every other page that a browser navigates to, since the
 * client knows its own routes. Files under `static/` carry a hash in their name, so they never change.
 */
export function createSpa(directory: string): RequestHandler {
  const root = resolve(directory);
  const hashed = `${join(root, 'static')}${sep}`;
  const index = join(root, 'index.html');
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
  router.use((request, response, next) => {
    const navigates = ['GET', 'HEAD'].includes(request.method) && request.headers.accept?.includes('text/html');
    if (!navigates || !existsSync(index)) {
      next();
      return;
    }
    response.set('Cache-Control', 'no-cache').sendFile(index, { cacheControl: false });
  });
  return router;
}
