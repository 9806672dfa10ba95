import type { IncomingMessage, RequestListener } from 'node:http';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Logger } from '../runtime/log.ts';
import { namesThisShop } from '../runtime/own-host.ts';
import { sendProblem } from '../runtime/problem-response.ts';
import { createAuthenticator } from './authenticate.ts';
import { allowOrigins } from './cors.ts';
import type { ApiDependencies } from './dependencies.ts';
import { problemOf, RequestRefused } from './problem-details.ts';
import { giveRequestIds, noteRoute, recordRequests, requestIdOf } from './request-log.ts';
import type { Route } from './route.ts';
import { securityHeaders } from './security-headers.ts';
import { admit, serveRoute } from './serve-route.ts';

/** Creates the request handler that serves the API's routes and the web client. */
export function createApi(shop: ApiDependencies, routes: readonly Route[]): RequestListener {
  const app = createApp(shop, routes);
  return (request, response) => {
    // If Express couldn't parse the request target, it would respond with an HTML page. To avoid that, the shop passes
    // Express a target that it can parse, and refuses the request itself with a problem code (HTTP1).
    const { url = '' } = request;
    if (!url.startsWith('/') && !URL.canParse(url, 'http://shop.invalid')) {
      unparsable.add(request);
      request.url = '/';
    }
    app(request, response);
  };
}

const unparsable = new WeakSet<IncomingMessage>();

const parsableOnly: RequestHandler = (request, _response, next) => {
  if (unparsable.has(request))
    throw new RequestRefused('malformed_request', { detail: "The request's address cannot be parsed." });
  next();
};

function createApp(shop: ApiDependencies, routes: readonly Route[]): Express {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', shop.settings.trustedProxies);
  app.use(giveRequestIds(shop.newId), recordRequests(shop.logger, shop.registry), setSecurityHeaders(shop));
  app.use(ownNameOnly(shop.settings.publicOrigin), parsableOnly);
  app.use(allowOrigins(shop.settings.corsOrigins), compression());
  app.use(EDGE_PATHS, limitEdge(shop));
  for (const handler of shop.edge ?? []) app.use(handler);
  mountRoutes(app, shop, routes);
  if (shop.fallback) app.use(shop.fallback(shop));
  app.use(nothingHere);
  app.use(answerErrors(shop.logger));
  return app;
}

/**
 * The paths of Stripe's webhook and of the demo providers. They are served without an access token and are mounted
 * before the route table.
 */
const EDGE_PATHS = [
  '/webhooks',
  '/demo-stripe',
  '/demo-mailbox',
  '/emulator',
  '/identitytoolkit.googleapis.com',
  '/securetoken.googleapis.com',
];

/**
 * Limits the rate of requests per client address. Each of EDGE_PATHS has its own limit, so that webhooks never use up a
 * visitor's limit (RATE1).
 */
function limitEdge(shop: ApiDependencies): RequestHandler {
  return async (request, _response, next) => {
    await admit(shop, `${request.baseUrl}:${request.ip}`);
    next();
  };
}

/** Sets the same security headers for every response. */
function setSecurityHeaders({ clientConfig: { stripe, firebase } }: ApiDependencies): RequestHandler {
  const headers = securityHeaders({ stripe: stripe.mode, firebase: firebase.mode });
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/**
 * AUTH7: refuses requests whose host name isn't the shop's. Otherwise, a website could point its own domain at the shop
 * (DNS rebinding) and read the shop's responses.
 */
function ownNameOnly(publicOrigin: string | null): RequestHandler {
  return (request, _response, next) => {
    if (!namesThisShop(request, publicOrigin)) throw new RequestRefused('wrong_host');
    next();
  };
}

/**
 * Mounts the routes. A request with a method that its path doesn't support gets a 405, unless the method is OPTIONS. A
 * request for an unknown path with the same first segment as a known path gets a 404.
 */
function mountRoutes(app: Express, shop: ApiDependencies, routes: readonly Route[]): void {
  const trustsUnverifiedEmails = shop.clientConfig.firebase.mode === 'demo';
  const authenticator = createAuthenticator(shop, { trustsUnverifiedEmails });
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const method = route.method.toLowerCase() as Lowercase<typeof route.method>;
    app[method](route.path, noteRoute(route.path), serveRoute(route, shop, authenticator));
    methods.set(route.path, [...(methods.get(route.path) ?? []), route.method]);
  }
  // route.all() adds a single handler. app.all() would add a handler for each of HTTP's 35 methods.
  for (const [path, allowed] of methods) app.route(path).all(noteRoute(path), otherMethods(allowed));
  app.use([...new Set(routes.map(({ path }) => `/${path.split('/')[1]}`))], nothingHere);
}

function otherMethods(methods: readonly string[]): RequestHandler {
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS') throw new RequestRefused('method_not_allowed', { headers: { Allow: allowed } });
    response.set('Allow', allowed).status(204).end();
  };
}

const nothingHere: RequestHandler = () => {
  throw new RequestRefused('not_found');
};

function answerErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const problem = problemOf(error, request.method);
    if (!problem) logger.error({ err: error, requestId: requestIdOf(response) }, 'request failed');
    else if (error instanceof Error && error.cause) {
      logger.warn({ err: error, requestId: requestIdOf(response), code: problem.code }, 'request refused');
    }
    if (response.headersSent) next(error);
    else if (problem) sendProblem(response, problem.code, problem);
    else sendProblem(response, 'internal');
  };
}
