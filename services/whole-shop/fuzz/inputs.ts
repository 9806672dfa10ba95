import fc from 'fast-check';
import { brokenJson, hostileJson, hostileText } from './hostile-values.ts';
import type { HttpInput, Input, Operation, Sender } from './input.ts';
import { fitting, type JsonSchema, misfitting } from './json-schema.ts';
import { raw, socket } from './raw-inputs.ts';

/** The highest number in a placeholder such as `@order:30`. */
const NAMED = 30;

const sender = fc.constantFrom<Sender>('nobody', 'customer', 'customer', 'neighbour', 'admin', 'forger');

/** Header values that any HTTP client can send. The `raw` inputs cover values that clients refuse to send. */
const headerText = fc.string({ maxLength: 60 }).map((text) => text.replace(/[^\x20-\x7e]/g, '~'));

const hostileHeaders: fc.Arbitrary<Record<string, string>> = fc
  .dictionary(
    fc.constantFrom(
      'accept',
      'accept-encoding',
      'accept-language',
      'cookie',
      'content-encoding',
      'expect',
      'if-match',
      'if-none-match',
      'if-modified-since',
      'idempotency-key',
      'origin',
      'range',
      'referer',
      'stripe-signature',
      'te',
      'x-forwarded-for',
      'x-http-method-override',
      'x-request-id',
    ),
    fc.oneof(
      headerText,
      fc.constantFrom(
        '*',
        '"x"',
        'bytes=0-',
        'bytes=9-1',
        'bytes=-0',
        'bytes=0-0,-1',
        'bytes=999999999-',
        'gzip',
        'br;q=x',
        'W/"',
        't=1,v1=00',
      ),
    ),
    { maxKeys: 3 },
  )
  // Removes `Expect`, because Node's HTTP server responds to any value except '100-continue' with a 417, before the
  // shop gets the request. The `raw` inputs cover this header.
  .map(({ expect: _, ...headers }) => headers);

/** Percent-encodes text. A lone surrogate can't be encoded, so it is replaced with U+FFFD. */
const encoded = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

const pathPart = fc.oneof(
  hostileText.map(encoded),
  fc.constantFrom('%', '%zz', '%ff', '..', '.', '%2e%2e%2f', '%00', 'a'.repeat(3_000), '@order:1', '@product:1'),
);

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function queryOf(fields: readonly [string, fc.Arbitrary<unknown>][]): fc.Arbitrary<string> {
  const one = fields.map(([name, value]) => value.map((given) => [name, asText(given)] as const));
  return fc
    .tuple(
      fc.subarray(one.map((_, index) => index)),
      fc.tuple(...one),
      fc.option(fc.tuple(hostileText, hostileText), { nil: null }),
    )
    .map(([chosen, pairs, surplus]) => {
      const given = pairs.filter((_, index) => chosen.includes(index));
      const all = surplus ? [...given, surplus] : given;
      const text = all.map((pair) => pair.map((half) => encoded(half)).join('=')).join('&');
      return text === '' ? '' : `?${text}`;
    });
}

function pathOf({ method, path, parameters }: Operation): fc.Arbitrary<string> {
  const product = method === 'get' ? '@product' : '@spare';
  const known = path.includes('/products/') ? product : '@order';
  const names = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  if (names.length === 0) return fc.constant(path);
  const segment = (name: string) =>
    name === 'email'
      ? fc.oneof(fc.constantFrom('@customer', '@neighbour'), fc.emailAddress(), pathPart)
      : fc.oneof(
          { weight: 4, arbitrary: fc.nat(NAMED).map((n) => `${known}:${n}`) },
          { weight: 2, arbitrary: fc.stringMatching(/^[0-9a-f]{24,64}$/) },
          { weight: 1, arbitrary: pathPart },
        );
  return fc
    .tuple(...names.map(segment))
    .map((segments) => names.reduce((text, name, index) => text.replace(`{${name}}`, segments[index] ?? ''), path));
}

/**
 * Generates requests for an operation. A request's query parameters and body either match their schemas in the OpenAPI
 * document or violate them.
 */
function apiCall(operation: Operation): fc.Arbitrary<HttpInput> {
  const { method, parameters, body } = operation;
  const queries = parameters.filter((one) => one.in === 'query');
  const query = queryOf(queries.map(({ name, schema }) => [name, fc.oneof(fitting(schema), misfitting(schema))]));
  const grants = operation.path.includes('/users/admin/');
  return fc
    .record({
      sender: grants ? fc.constantFrom<Sender>('nobody', 'customer', 'neighbour', 'forger') : sender,
      path: pathOf(operation),
      query,
      headers: hostileHeaders,
      body: bodyOf(body, operation.path),
    })
    .map(({ query: asked, path, body: sent, ...rest }) => ({
      part: 'api',
      method: method.toUpperCase(),
      ...rest,
      path: `${path}${asked}`,
      headers: sent === null ? rest.headers : { ...rest.headers, 'content-type': sent.type },
      body: sent?.text ?? null,
    }));
}

/**
 * Gives more weight to calls that change orders or payments, because they move stock and money. Deletions get less
 * weight, so that orders exist long enough to be paid.
 */
function weighed(operation: Operation): { weight: number; arbitrary: fc.Arbitrary<HttpInput> } {
  const moves =
    /^\/(orders|shipments|withdrawals|create-payment-intent)/.test(operation.path) &&
    !['get', 'delete'].includes(operation.method);
  return { weight: moves ? 8 : 1, arbitrary: apiCall(operation) };
}

type Body = { readonly type: string; readonly text: string } | null;

function bodyOf(schema: JsonSchema | null, path: string): fc.Arbitrary<Body> {
  if (!schema) return fc.constant(null);
  const json = (value: fc.Arbitrary<unknown>) =>
    fc
      .tuple(value, fc.nat(NAMED))
      .map(([given, n]) => ({ type: 'application/json', text: JSON.stringify(real(given, path, n)) ?? '' }));
  return fc.oneof(
    { weight: 5, arbitrary: json(fitting(schema)) },
    { weight: 4, arbitrary: json(misfitting(schema)) },
    { weight: 1, arbitrary: brokenJson.map((text) => ({ type: 'application/json', text })) },
    { weight: 1, arbitrary: fc.tuple(headerText, hostileText).map(([type, text]) => ({ type, text })) },
  );
}

/**
 * Makes request bodies for orders, payments, shipments and withdrawals refer to real data, so that some orders are
 * eventually paid and shipped.
 */
function real(body: unknown, path: string, n: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if (path === '/orders') {
    const { price: _, ...rest } = body as Record<string, unknown>;
    const { quantity } = rest;
    const few = typeof quantity === 'number' ? Math.abs(quantity) % 4 : quantity;
    return { ...rest, email: '@email', productId: `@product:${n}`, product: `@productName:${n}`, quantity: few };
  }
  if (path === '/orders/{id}') {
    const { version: _, ...rest } = body as Record<string, unknown>;
    return n % 2 === 0 ? { ...rest, transactionId: `@intent:${n}` } : body;
  }
  if (path === '/shipments') return n % 4 === 0 ? body : { orders: [{ id: `@order:${n}`, version: 1 + (n % 5) }] };
  if (path === '/withdrawals') return n % 4 === 0 ? body : { orders: [{ id: `@order:${n}`, shipment: 1 + (n % 2) }] };
  if (path === '/orders/{id}/withdrawal') return n % 4 === 0 ? body : { ...body, shipment: 1 + (n % 2) };
  return path === '/create-payment-intent' ? { ...body, orderId: `@order:${n}`, totalPrice: `@total:${n}` } : body;
}

const webhook: fc.Arbitrary<HttpInput> = fc
  .record({
    signed: fc.boolean(),
    headers: hostileHeaders,
    body: fc.oneof(
      fc
        .record({
          id: hostileText,
          object: fc.constantFrom('event', 'charge'),
          type: fc.constantFrom(
            'payment_intent.succeeded',
            'payment_intent.canceled',
            'refund.failed',
            'refund.updated',
            'x',
          ),
          data: fc.record({
            object: fc.record({
              id: fc.oneof(
                fc.nat(NAMED).map((n) => `@intent:${n}`),
                fc.constant('pi_unknown'),
                hostileText,
              ),
              object: fc.constantFrom('payment_intent', 'refund'),
              payment_intent: hostileJson,
              metadata: hostileJson,
              amount: hostileJson,
            }),
          }),
        })
        .map((event) => JSON.stringify(event)),
      brokenJson,
      hostileText,
    ),
  })
  .map((rest) => ({
    part: 'webhook',
    sender: 'nobody',
    method: 'POST',
    path: '/webhooks/stripe',
    ...rest,
    headers: { ...rest.headers, 'content-type': 'application/json' },
  }));

const EMULATOR = '/identitytoolkit.googleapis.com/v1/accounts:';
const PROVIDER_PATHS = [
  ...[
    'signUp',
    'signInWithPassword',
    'lookup',
    'update',
    'sendOobCode',
    'resetPassword',
    'signInWithIdp',
    'delete',
    'createAuthUri',
  ].map((call) => `${EMULATOR}${call}?key=demo`),
  '/securetoken.googleapis.com/v1/token?key=demo',
  '/emulator/action?mode=verifyEmail&oobCode=x',
  '/emulator/action',
  '/demo-mailbox',
  '/demo-accounts.json',
  '/demo-stripe/v1/payment_intents',
  '/demo-stripe/v1/payment_intents/pi_x/confirm',
  '/demo-stripe/v1/payment_methods',
  '/demo-stripe/v1/refunds',
];

const provider: fc.Arbitrary<HttpInput> = fc
  .record({
    sender: fc.constantFrom<Sender>('nobody', 'forger'),
    method: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'),
    path: fc.oneof(
      fc.constantFrom(...PROVIDER_PATHS),
      fc.tuple(fc.constantFrom(...PROVIDER_PATHS), pathPart).map(([path, tail]) => `${path.split('?')[0]}/${tail}`),
      hostileText.map((email) => `/demo-mailbox?email=${encoded(email)}`),
    ),
    headers: hostileHeaders,
    body: fc.oneof(
      fc.constant(null),
      fc
        .record({
          email: hostileJson,
          password: hostileJson,
          idToken: hostileJson,
          oobCode: hostileJson,
          requestType: hostileJson,
        })
        .map((body) => JSON.stringify(body)),
      fc.webQueryParameters(),
      brokenJson,
    ),
    type: fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/plain'),
  })
  .map(({ type, ...rest }) => ({
    part: 'provider',
    ...rest,
    body: rest.method === 'GET' ? null : rest.body,
    headers: { ...rest.headers, 'content-type': type },
  }));

const staticFile: fc.Arbitrary<HttpInput> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE', 'PROPFIND'),
    path: fc.oneof(
      fc.constantFrom(
        '/',
        '/index.html',
        '/assets/',
        '/robots.txt',
        '/favicon.ico',
        '/sitemap.xml',
        '/allproducts',
        '/nothing/here',
      ),
      fc.array(pathPart, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
      pathPart.map((part) => `/assets/${part}`),
    ),
    headers: hostileHeaders,
  })
  .map((rest) => ({ part: 'static', sender: 'nobody', body: null, ...rest }));

/** Generates inputs for every part of the shop. Half of them go to the API, because it has the most routes. */
export function inputsFor(operations: readonly Operation[]): fc.Arbitrary<Input> {
  const others = [webhook, socket, provider, staticFile, raw];
  return fc.oneof<{ weight: number; arbitrary: fc.Arbitrary<Input> }[]>(
    { weight: others.length, arbitrary: fc.oneof(...operations.map(weighed)) },
    ...others.map((arbitrary) => ({ weight: 1, arbitrary })),
  );
}
