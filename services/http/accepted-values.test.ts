import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { DOCUMENT_KINDS, type DocumentKind, parseStreamName, type StreamName } from '../contracts/ids.ts';
import { viewSchemas } from '../contracts/views.ts';
import { completeDocument } from '../engine/projector/current-document.ts';
import { shopProjection } from '../shop/projection.ts';
import { orderOf, type Person } from '../whole-shop/shop-client.fixture.ts';
import { stockedShop, type TestShop, testShops } from './test-shop.fixture.ts';

const open = testShops();
/** The number of requests that each fast-check property sends. A request takes a few milliseconds. */
const REQUESTS = 60;

/**
 * Generates all kinds of JSON strings, with characters from every Unicode plane, control characters, lone surrogates,
 * and leading and trailing spaces.
 */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\ud800',
    '\udfff x',
    '\0',
    ' a ',
    '__proto__',
    'erased',
    '<b>',
    '৳ 1',
    'x'.repeat(200),
    'y'.repeat(4000),
  ),
);
const name = fc.oneof(text, fc.string({ minLength: 1, maxLength: 200 }));
const image = fc.oneof(
  fc.constantFrom('', '/a.svg', 'https://x.test/ü?q=%00'),
  text.map((rest) => `/${rest}`),
);
const price = fc.oneof(
  fc.integer({ min: 1, max: 99_999_900 }).map((poisha) => poisha / 100),
  fc.double({ min: 0, max: 1_000_001, noNaN: true }),
  fc.constantFrom(0, 1e-9, 0.004999999, 0.01, 999_999, 999_999.01, 0.1 + 0.2, Number.MIN_VALUE),
);
const count = fc.oneof(fc.integer({ min: -1, max: 1_000_001 }), fc.integer({ min: 0, max: 5 }), fc.constant(1.5));
const digits = fc.stringMatching(/^ ?[0-9]{2,16} ?$/);
const details = {
  name,
  img1: image,
  img2: image,
  processor: text,
  gpu: text,
  rated: text,
  description: text,
  price,
  quantity: count,
  minorder: count,
};

/**
 * Generates bodies that consist of `beside` and one random field. Bodies with only random values would mostly be
 * refused.
 */
const oneOf = (fields: Record<string, fc.Arbitrary<unknown>>, beside: object = {}) =>
  Object.entries(fields).map(([field, values]) => values.map((value) => ({ ...beside, [field]: value })));

/**
 * Asserts that the policies handle every event, that every event can be read, that each document equals the fold of its
 * stream, and that each document's view matches its schema.
 */
async function assertReadable({ core, feed }: TestShop): Promise<void> {
  // Policies append more events in response to events, so catching up once isn't enough.
  await expect.poll(() => feed.lag(), { timeout: 20_000 }).toBe(0);
  expect(await feed.waiting()).toBe(0);
  const { events } = await core.log.readAll(null, 100_000);
  expect(await core.sealing.openAll(events)).toHaveLength(events.length);
  for (const stream of new Set(events.map(({ subject }) => subject))) await assertFolds(core, stream);
}

async function assertFolds(core: TestShop['core'], stream: StreamName): Promise<void> {
  const { kind, id } = parseStreamName(stream);
  if (!(DOCUMENT_KINDS as readonly string[]).includes(kind)) return;
  const folded = await completeDocument(core, kind as DocumentKind, id, null);
  if (!folded) throw new Error(`Stream ${stream} has no document.`);
  expect(await core.readModels.get(kind as DocumentKind, id)).toEqual(folded);
  const pushed = shopProjection.pushedView(folded);
  if (pushed?.view) expect(viewSchemas[pushed.kind].parse(pushed.view)).toEqual(pushed.view);
}

/** Sends generated bodies. Asserts that none of them causes a server error, and that at least one is accepted. */
async function sendAny<Body>(bodies: fc.Arbitrary<Body>, send: (body: Body) => Promise<number>): Promise<void> {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const status = await send(body);
      expect(status, JSON.stringify(body)).toBeLessThan(500);
      if (status < 300) taken += 1;
    }),
    { numRuns: REQUESTS, endOnFailure: true },
  );
  expect(taken, 'requests that were taken').toBeGreaterThan(0);
}

const unlimited = () => open(({ settings }) => ({ settings: { ...settings, maxUnpaidOrders: 0 } }));
const statusOf = async (by: Person, method: string, path: string, body: unknown) =>
  (await by.call(method, path, body)).status;

it('LOG4 C10 every accepted product can be read back and matches the fold of its events', async () => {
  const shop = await unlimited();
  const admin = await shop.admin();
  const all = fc.record(details, { requiredKeys: ['name', 'price', 'quantity', 'minorder'] });
  const bodies = fc.oneof(all, ...oneOf(details, { name: 'Tower', price: 1000, quantity: 5, minorder: 1 }));
  await sendAny(bodies, (body) => statusOf(admin, 'POST', '/products', body));
  await assertReadable(shop);
});

it('LOG4 C9 after any accepted changes, a product can be read back and matches the fold of its events', async () => {
  const shop = await unlimited();
  const { admin, productId } = await stockedShop(shop);
  const all = fc.record({ ...details, version: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: [] });
  const bodies = fc.oneof(all, ...oneOf(details));
  await sendAny(bodies, (body) => statusOf(admin, 'PUT', `/products/${productId}`, body));
  await assertReadable(shop);
});

it('LOG4 C12 every accepted order can be read back and matches the fold of its events', async () => {
  const shop = await unlimited();
  const { shopper, productId } = await stockedShop(shop, { price: 0.01, quantity: 1_000_000 });
  const fields = {
    name,
    phone: digits,
    address: name,
    quantity: fc.integer({ min: -1, max: 9 }),
    price,
    email: fc.constantFrom(shopper.email, ` ${shopper.email.toUpperCase()} `),
    totalPrice: fc.double({ noNaN: true }),
    product: fc.constant('Tower One'),
    productId: fc.constantFrom(productId, 'f'.repeat(32)),
  };
  const all = fc.record(fields, { requiredKeys: ['name', 'phone', 'address', 'quantity', 'email', 'product'] });
  const bodies = fc.oneof(all, ...oneOf(fields, { ...orderOf(shopper, productId), product: 'Tower One' }));
  await sendAny(bodies, async (body) => {
    const answer = await shopper.call('POST', '/orders', body);
    if (answer.status === 201) await shopper.call('DELETE', `/orders/${createdSchema.parse(answer.body).insertedId}`);
    return answer.status;
  });
  await assertReadable(shop);
});

it('LOG4 C2 C21 every accepted profile and review can be read back and matches the fold of its events', async () => {
  const shop = await unlimited();
  const shopper = await shop.signIn('rumi@shop.test');
  const profiles = fc.record(
    { address: text, phone: fc.oneof(digits, fc.constant('')), education: text, social: text },
    { requiredKeys: [] },
  );
  await sendAny(profiles, (body) => statusOf(shopper, 'PUT', `/users/${shopper.email}`, body));
  const ratings = fc.oneof(fc.double({ min: 0, max: 5.1, noNaN: true }), fc.stringMatching(/^[0-9]\.[0-9]{1,30}$/));
  const reviews = fc.record({ name, ratings, username: name, description: name });
  await sendAny(reviews, (body) => statusOf(shopper, 'POST', '/reviews', body));
  await assertReadable(shop);
});
