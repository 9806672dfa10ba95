import { type Request, type RequestHandler, Router } from 'express';
import { sendProblem } from '../../runtime/problem-response.ts';
import { createProviderProxy } from '../provider-proxy.ts';
import { createActionPages } from './action-pages.ts';
import { ACCOUNT_CALLS } from './emulator-calls.ts';

const PREFIXES = ['/identitytoolkit.googleapis.com/', '/securetoken.googleapis.com/', '/emulator/'];

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts:';
const SEND_MAIL = `POST ${ACCOUNTS}sendOobCode`;

/**
 * All endpoints that the browser's Firebase SDK calls in this shop. The emulator also has endpoints that can read and
 * change any account (some without authentication), bypass sign-in, or return pages that contain unescaped names.
 */
const SERVED = new Set([
  ...ACCOUNT_CALLS.map((call) => `POST ${ACCOUNTS}${call}`),
  'POST /securetoken.googleapis.com/v1/token',
  'GET /identitytoolkit.googleapis.com/v1/projects',
]);

export interface EmulatorProxyOptions {
  emulatorHost: string;
  /** other origins whose pages may use this shop's sign-in */
  allowedOrigins?: readonly string[];
  /** called after a verification or reset e-mail has been requested */
  onMailSent?: () => void;
}

/**
 * Serves the emulator to browsers on the shop's own origin, without the owner's privileges (AUTH4). Mount this router
 * before any body parser, because the router can handle only request bodies that haven't been read yet.
 */
export function createEmulatorProxy(options: EmulatorProxyOptions): Router {
  const router = Router({ caseSensitive: true });
  const actionPages = createActionPages(options.emulatorHost);
  const forward = createForwarder(options);
  router.use((request, response, next) => {
    const path = pathOf(request);
    if (!PREFIXES.some((prefix) => path.startsWith(prefix))) {
      next();
      return;
    }
    const refusal = refusalOf(request, options.allowedOrigins ?? []);
    if (refusal) sendProblem(response, 'forbidden', { detail: refusal });
    else if (path === '/emulator/action') actionPages(request, response, next);
    else if (!SERVED.has(`${request.method} ${path}`)) {
      sendProblem(response, 'forbidden', { detail: 'Browsers may not make this call to the identity emulator.' });
    } else forward(request, response, next);
  });
  return router;
}

/**
 * Returns the path exactly as the browser sent it. A call is forwarded only if this path exactly matches a served path,
 * because the emulator could normalize a similar path to one that must not be served.
 */
function pathOf(request: Request): string {
  return request.originalUrl.split('?', 1)[0] ?? '';
}

function refusalOf(request: Request, allowedOrigins: readonly string[]): string | undefined {
  if (request.headers.authorization !== undefined) {
    return 'The identity emulator does not accept an Authorization header from a browser.';
  }
  const { origin, host } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host
    ? undefined
    : 'Other websites may not use the sign-in of this shop.';
}

function createForwarder({ emulatorHost, onMailSent }: EmulatorProxyOptions): RequestHandler {
  const absent = { code: 'identity_unavailable', detail: 'The identity emulator is unavailable.' } as const;
  return createProviderProxy(`http://${emulatorHost}`, absent, {
    changeOrigin: true,
    on: {
      proxyReq: (toEmulator) => {
        for (const name of ['origin', 'cookie', 'referer']) toEmulator.removeHeader(name);
      },
      proxyRes: (fromEmulator, request) => {
        for (const name of Object.keys(fromEmulator.headers)) {
          if (name.startsWith('access-control-') || name === 'x-powered-by') delete fromEmulator.headers[name];
        }
        fromEmulator.headers['cache-control'] = 'no-store';
        // The emulator responds to malformed requests with 500. The status is changed to 400, because nothing in the
        // shop has failed (HTTP1).
        if (fromEmulator.statusCode === 500) fromEmulator.statusCode = 400;
        if (fromEmulator.statusCode === 200 && `${request.method} ${pathOf(request)}` === SEND_MAIL) onMailSent?.();
      },
    },
  });
}
