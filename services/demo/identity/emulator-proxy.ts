import { type Request, type RequestHandler, Router } from 'express';
import { sendProblem } from '../../runtime/problem-response.ts';
import { createProviderProxy } from '../provider-proxy.ts';
import { createActionPages } from './action-pages.ts';
import { ACCOUNT_CALLS } from './emulator-calls.ts';

const PREFIXES = ['/identitytoolkit.googleapis.com/', '/securetoken.googleapis.com/', '/emulator/'];

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/accounts:';
const SEND_MAIL = `POST ${ACCOUNTS}sendOobCode`;

/**
 * All that the browser's Firebase SDK calls in this shop. Other calls read and change every account (some without asking who
 * calls), bypass the sign-in, or print names as HTML.
 */
const SERVED = new Set([
  ...ACCOUNT_CALLS.map((call) => `POST ${ACCOUNTS}${call}`),
  'POST /securetoken.googleapis.com/v1/token',
  'GET /identitytoolkit.googleapis.com/v1/projects',
]);

export interface EmulatorProxyOptions {
  emulatorHost: string;
  /** other origins whose pages may sign in here */
  allowedOrigins?: readonly string[];
  /** called after a verification or reset mail was requested */
  onMailSent?: () => void;
}

/**
 * Serves the emulator on the shop's own origin, for browsers, without the owner's powers (AUTH4). It reads bodies itself:
 * mount it before any body parser.
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
      sendProblem(response, 'forbidden', { detail: 'This call of the identity emulator is not served to browsers.' });
    } else forward(request, response, next);
  });
  return router;
}

/** Compared and forwarded as it came, so that no decoding or dot can come between. */
function pathOf(request: Request): string {
  return request.originalUrl.split('?', 1)[0] ?? '';
}

function refusalOf(request: Request, allowedOrigins: readonly string[]): string | undefined {
  if (request.headers.authorization !== undefined) {
    return 'The identity emulator takes no Authorization header from a browser.';
  }
  const { origin, host } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return undefined;
  return URL.canParse(origin) && new URL(origin).host === host
    ? undefined
    : 'Other websites may not use the sign-in of this shop.';
}

function createForwarder({ emulatorHost, onMailSent }: EmulatorProxyOptions): RequestHandler {
  const absent = { code: 'identity_unavailable', detail: 'The identity emulator does not answer.' } as const;
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
        // The emulator answers 500 to malformed requests: nothing of the shop has failed (HTTP1).
        if (fromEmulator.statusCode === 500) fromEmulator.statusCode = 400;
        if (fromEmulator.statusCode === 200 && `${request.method} ${pathOf(request)}` === SEND_MAIL) onMailSent?.();
      },
    },
  });
}
