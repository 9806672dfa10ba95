import { Registry } from 'prom-client';
import Stripe from 'stripe';
import { PROBLEMS } from '../../contracts/problems.ts';
import { createMemoryPackingClaims } from '../../embedded/memory-packing-claims.ts';
import type { ShopCore } from '../../engine/shop-core.ts';
import { createAuthenticator } from '../../http/authenticate.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { problemOf } from '../../http/problem-details.ts';
import { CachedResponse } from '../../http/response-cache.ts';
import type { Route } from '../../http/route.ts';
import { answerRoute } from '../../http/serve-route.ts';
import type { AccessTokenCheck, AccessTokens } from '../../identity/access-token.ts';
import type { IdentityProvider } from '../../identity/identity-provider.ts';
import { ROUTES } from '../../process/route-table.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createOrderNumbers } from '../../shop/order/order-numbers-flow.ts';
import type { Payments } from '../../shop/payment/payments.ts';
import { handleWebhook } from '../../shop/payment/webhook-routes.ts';
import { createAccounts } from '../../shop/people/accounts-flow.ts';
import { createTrackingLinks } from '../../shop/tracking/tracked-order-flow.ts';
import type { ListWatch } from './list-watch.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { type DeliverWebhook, WEBHOOK_SECRET } from './simulated-stripe.ts';
import type { World } from './world.ts';

export const FIRST_ADMIN = 'admin@shop.test';
export const SECRETS = { userId: 'u'.repeat(64), idempotency: 'i'.repeat(64) };
export const SETTINGS = {
  adminEmails: [FIRST_ADMIN],
  maxUnpaidOrders: 4,
  paymentMinimumTaka: 100,
  corsOrigins: [],
  trustedProxies: 0,
  publicOrigin: null,
  metricsToken: null,
};
const HOUR_MS = 3_600_000;

export interface ApiRequest {
  readonly method: Route['method'];
  /** path and query, e.g. `/orders/1f…` */
  readonly url: string;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly key?: string;
}

/** `code` is the problem's code if the request was refused. */
export interface ApiAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly body: unknown;
  /** the response's ETag and Link headers, or null */
  readonly etag: string | null;
  readonly link: string | null;
}

/** One process of the shop, as seen by browsers and Stripe. */
export interface SimulatedApi {
  /** Rejects only if the shop has no such route. If an unexpected error occurs, the response has status 500. */
  answer(request: ApiRequest): Promise<ApiAnswer>;
  readonly webhook: DeliverWebhook;
}

/** Creates one process's API. An unexpected error becomes a response with status 500, and a fault of the run. */
export function createSimulatedApi(
  world: World,
  parts: {
    readonly process: SimulatedProcess;
    readonly core: ShopCore;
    readonly payments: Payments;
    readonly identity: IdentityProvider;
    readonly readYourWrites: ListWatch;
    readonly unpaidOrderTtlMs: number;
  },
): SimulatedApi {
  const { process, core, payments, identity } = parts;
  const { clock, dice } = process;
  const logger = world.loggerOf(process);
  const shop: ApiDependencies = {
    ...core,
    ...parts,
    logger,
    clock,
    newId: dice.id,
    accounts: createAccounts(core.handler, SECRETS.userId),
    accessTokens: createReadableTokens(clock),
    numbers: createOrderNumbers({ handler: core.handler, clock, newId: dice.id }),
    trackingLinks: createTrackingLinks(core, SECRETS.idempotency, clock),
    packing: createMemoryPackingClaims(clock),
    registry: new Registry(),
    readiness: async () => ({ ready: true, checks: {} }),
    clientConfig: {
      stripe: { mode: 'live', publishableKey: 'pk_test_simulated0123456789' },
      firebase: { mode: 'live', config: {} },
    },
    secrets: SECRETS,
    settings: { ...SETTINGS, unpaidOrderTtlMs: parts.unpaidOrderTtlMs },
  };
  const { schedule } = process;
  const authenticator = createAuthenticator({ ...shop, identity, schedule }, { trustsUnverifiedEmails: false });
  const { webhooks } = new Stripe('sk_test_simulated0123456789');
  const webhookSettings = {
    stripe: { webhooks },
    webhookSecret: WEBHOOK_SECRET,
    livemode: false,
    ...payments,
    logger,
    clock,
  };

  async function answer({ method, url, token, body, key }: ApiRequest): Promise<ApiAnswer> {
    const { pathname, searchParams } = new URL(url, 'http://shop.invalid');
    const found = findRoute(method, pathname);
    if (!found) throw new Error(`The shop has no route ${method} ${pathname}.`);
    const headers: Record<string, string | undefined> = {
      authorization: token ? `Bearer ${token}` : undefined,
      'idempotency-key': key,
    };
    const checkList = parts.readYourWrites.expect(url);
    try {
      const answered = await answerRoute(found.route, shop, authenticator, {
        params: found.params,
        query: Object.fromEntries(searchParams),
        url,
        ip: '192.0.2.1',
        requestId: dice.id(),
        byOperator: false,
        header: (name) => headers[name],
        readBody: async () => body,
      });
      const cached = answered.body instanceof CachedResponse ? answered.body : null;
      const sent = cached ? JSON.parse(cached.text()) : answered.body;
      checkList(sent);
      return {
        status: answered.status ?? found.route.answer.status,
        code: null,
        body: sent,
        etag: cached?.etag ?? null,
        link: answered.headers?.Link ?? null,
      };
    } catch (error) {
      const problem = problemOf(error, method);
      if (!problem) world.fault(`${method} ${found.route.path} failed with an unknown error: ${String(error)}`);
      const code = problem?.code ?? 'internal';
      return { status: PROBLEMS[code].status, code, body: null, etag: null, link: null };
    }
  }

  return {
    answer,
    webhook: async (body, signature) => (await handleWebhook(webhookSettings, body, signature)) === null,
  };
}

function findRoute(method: string, path: string): { route: Route; params: Record<string, string> } | null {
  const parts = path.split('/');
  for (const route of ROUTES) {
    const names = route.path.split('/');
    const matches = names.every((name, index) => name.startsWith(':') || name === parts[index]);
    if (route.method !== method || names.length !== parts.length || !matches) continue;
    const params = names.flatMap((name, index) =>
      name.startsWith(':') ? [[name.slice(1), decodeURIComponent(parts[index] ?? '')]] : [],
    );
    return { route, params: Object.fromEntries(params) };
  }
  return null;
}

/** Returns the user's id and e-mail address from an unsigned access token. */
export const claimsOf = (token: string): { readonly sub: string; readonly email: string } => contentOf(token).claims;

/** Returns when an access token expires, in ms since the epoch. */
export const expiryOf = (token: string): number => contentOf(token).tokenExpiresAt;

const contentOf = (token: string) =>
  JSON.parse(Buffer.from(token, 'base64url').toString()) as AccessTokenCheck & { ok: true };

/**
 * Creates access tokens that aren't signed, because signatures would be checked outside the simulation's virtual time.
 */
export function createReadableTokens(clock: Clock): AccessTokens {
  return {
    async mint({ uid, email, emailVerified, name, signedInAt }, sub) {
      const tokenExpiresAt = clock() + HOUR_MS;
      const claims = { sub, email, uid, emailVerified, name };
      const checked: AccessTokenCheck = { ok: true, claims, signedInAt, tokenExpiresAt };
      return { token: Buffer.from(JSON.stringify(checked)).toString('base64url'), tokenExpiresAt };
    },
    async verify(token) {
      try {
        const checked = contentOf(token);
        return clock() < checked.tokenExpiresAt ? checked : { ok: false, reason: 'expired' };
      } catch {
        return { ok: false, reason: 'invalid' };
      }
    },
  };
}
