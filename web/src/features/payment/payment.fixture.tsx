import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MantineProvider } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { PROBLEMS, type ProblemCode } from '@micro-center/services/contracts/problems.ts';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { StrictMode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { makeStore } from '../../app/store.ts';
import { signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, productOf } from '../../shop/orders/order.fixture.ts';
import OrderPage from '../orders/order-page.tsx';
import PaymentPage from './payment-page.tsx';

const SECRET_KEY = 'sk_test_payment0123456789';
const PUBLISHABLE_KEY = 'pk_test_payment0123456789';
/** Nothing listens at this address. A test that needs a webhook's effect applies that effect itself. */
const NO_WEBHOOK = 'http://127.0.0.1:9/webhooks/stripe';

export const ORDER: OrderView = {
  _id: 'a'.repeat(24),
  number: 'MC-1042',
  name: 'Rina Akter',
  email: 'rina@micro-center.test',
  phone: '01700000000',
  address: 'Road 5, Dhaka',
  product: 'Mesh Tower 500',
  productId: 'b'.repeat(24),
  quantity: 2,
  price: 6250.5,
  totalPrice: 12501,
  paid: false,
  transactionId: '',
  status: '',
  placedAt: '2030-01-01T10:00:00.000Z',
  expiresAt: '2030-01-02T10:00:00.000Z',
  paidAt: null,
  shippedAt: null,
  cancelledAt: null,
  cancelReason: null,
  refundedAt: null,
  deliveryChangedAt: null,
  shipment: null,
  carrier: null,
  trackingNumber: null,
  version: 1,
};

/** The product in the order, as listed in the shop. */
export const PICTURED = productOf({ _id: ORDER.productId, name: ORDER.product, img1: '/goods/mesh-tower.svg' });

interface LocalStripe {
  /** Calls the simulator's API with the secret key. `body` is form-encoded. */
  call(path: string, body?: string): Promise<Record<string, unknown>>;
  forward(path: string, init: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts the shop's Stripe simulator in a child process, as the shop does. */
async function startLocalStripe(): Promise<LocalStripe> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-page-'));
  // startProvider() doesn't work here, because it locates its program with Node's `URL`, which jsdom replaces.
  const file = resolve(import.meta.dirname, '../../../../services/demo/stripe-child.ts');
  const child = fork(file, [], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const socket = createServer();
  await new Promise<void>((listening) => socket.listen(0, '127.0.0.1', listening));
  const { port } = socket.address() as AddressInfo;
  await new Promise<void>((ready, failed) => {
    // Send the child the listening socket as soon as the child reports that it is ready.
    child.once('message', ({ kind, reason }: { kind: string; reason?: string }) =>
      kind === 'ready' ? child.send({ kind: 'listen' }, socket, () => ready()) : failed(new Error(reason)),
    );
    child.once('exit', () => failed(new Error('The Stripe simulator exited before it was ready.')));
    const keys = { secretKey: SECRET_KEY, publishableKey: PUBLISHABLE_KEY, webhookSecret: 'whsec_payment0123456789' };
    child.send({ dataFile: join(folder, 'stripe.sqlite'), webhookUrl: NO_WEBHOOK, ...keys });
  });
  socket.close();
  const address = `http://127.0.0.1:${port}`;
  const { fetch: realFetch } = globalThis;
  return {
    async call(path, body) {
      const headers = { authorization: `Bearer ${SECRET_KEY}`, 'content-type': 'application/x-www-form-urlencoded' };
      const init = body === undefined ? { headers } : { method: 'POST', headers, body };
      return (await (await realFetch(`${address}${path}`, init)).json()) as Record<string, unknown>;
    },
    forward: (path, init) => realFetch(`${address}${path}`, init),
    stop: () => stop(child, folder),
  };
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  child.disconnect();
  await ended;
  await rm(folder, { recursive: true, force: true });
}

export interface Shop {
  order: OrderView;
  /** ids of the order's payment intents in the Stripe simulator, newest last */
  intents: string[];
  /** which requests to refuse: those whose 'METHOD /path' starts with `call`, e.g. 'PATCH' for all PATCH requests. Null refuses none. */
  refuse: { call: string; code: ProblemCode } | null;
  stripe: { mode: 'demo' | 'live'; publishableKey: string };
  /** requests that the page sent to the Stripe simulator, e.g. 'POST /v1/payment_methods' */
  stripeCalls: string[];
}

/**
 * Stubs `fetch`, the page's only connection to the outside. Responds as the shop would, and forwards requests under
 * /demo-stripe/ to the Stripe simulator.
 */
export function openShop(local: LocalStripe, changes: Partial<Shop> = {}): Shop {
  const shop: Shop = {
    order: ORDER,
    intents: [],
    refuse: null,
    stripe: { mode: 'demo', publishableKey: PUBLISHABLE_KEY },
    stripeCalls: [],
    ...changes,
  };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(address);
    const method = init.method ?? 'GET';
    if (shop.refuse && `${method} ${pathname}`.startsWith(shop.refuse.call)) return problem(shop.refuse.code);
    if (pathname.startsWith('/demo-stripe/')) {
      const path = pathname.slice('/demo-stripe'.length);
      shop.stripeCalls.push(`${method} ${path}`);
      return local.forward(path + search, { method, headers: init.headers, body: init.body });
    }
    switch (`${method} ${pathname}`) {
      case 'GET /config.json':
        return json({ stripe: shop.stripe, firebase: { mode: 'demo', projectId: 'demo-shop', apiKey: 'demo' } });
      case `GET /orders/${shop.order._id}`:
        return json(shop.order);
      case `GET /orders/${shop.order._id}/timeline`:
        return json([{ type: 'placed', at: shop.order.placedAt, version: 1 }]);
      case `GET /products/${PICTURED._id}`:
        return json(PICTURED);
      case 'POST /create-payment-intent':
        return json(await createIntent(local, shop, JSON.parse(String(init.body))));
      case `PATCH /orders/${shop.order._id}`:
        return json(await record(local, shop, JSON.parse(String(init.body))));
      default:
        return problem('not_found');
    }
  });
  return shop;
}

async function createIntent(local: LocalStripe, shop: Shop, body: { orderId: string; totalPrice: number }) {
  if (body.orderId !== shop.order._id || body.totalPrice !== shop.order.totalPrice) throw new Error('another order');
  const open = shop.intents.at(-1);
  const intent = open
    ? await local.call(`/v1/payment_intents/${open}`)
    : await local.call('/v1/payment_intents', `amount=${shop.order.totalPrice * 100}&currency=bdt`);
  if (!open) shop.intents.push(String(intent.id));
  return { clientSecret: intent.client_secret };
}

/** Like the shop, checks with Stripe before recording a payment. */
async function record(local: LocalStripe, shop: Shop, { transactionId }: { transactionId: string }) {
  const intent = await local.call(`/v1/payment_intents/${transactionId}`);
  if (intent.status !== 'succeeded') throw new Error('not paid');
  shop.order = paid(shop.order, transactionId);
  return { acknowledged: true, matchedCount: 1, modifiedCount: 1, version: shop.order.version };
}

export function paid(order: OrderView, transactionId: string): OrderView {
  return { ...order, paid: true, transactionId, paidAt: '2030-01-01T11:00:00.000Z', version: order.version + 1 };
}

const json = (body: unknown) => new Response(JSON.stringify(body), { status: 200 });

function problem(code: ProblemCode): Response {
  const { status, title } = PROBLEMS[code];
  return new Response(JSON.stringify({ type: 'about:blank', title, status, code }), { status });
}

/** Renders the page at its own route, in StrictMode so that each effect runs twice. */
export function showPaymentPage(order: OrderView = ORDER) {
  stubLayout();
  const routes = [
    { path: '/dashboard/payment/:id', element: <PaymentPage /> },
    { path: '/dashboard/myorders/:id', element: <OrderPage /> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [`/dashboard/payment/${order._id}`] });
  const store = makeStore();
  store.dispatch(signedIn(CUSTOMER));
  render(
    <StrictMode>
      <Provider store={store}>
        <MantineProvider env="test">
          <RouterProvider router={router} />
        </MantineProvider>
      </Provider>
    </StrictMode>,
  );
  return { store, router };
}

/**
 * Stubs `matchMedia` and `ResizeObserver`. Mantine uses them to read the colour scheme and the sizes of elements, but
 * jsdom has neither.
 */
function stubLayout(): void {
  const media = { matches: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal('matchMedia', () => media);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
}

/** The Stripe simulator, shared by all tests in a file. */
export let local: LocalStripe;

/** Starts `local` before the file's tests and stops it after them. Cleans up the page after each test. */
export function startedLocally(): void {
  beforeAll(async () => {
    local = await startLocalStripe();
  }, 30_000);
  afterAll(() => local.stop());
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
}

export const CONGRATS = 'Congrats! Your payment is completed.';
export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
export const refusal = () => within(screen.getByRole('form')).getByRole('alert').textContent;

export async function typeCard(number: string, expiry = '1240', cvc = '123') {
  const user = userEvent.setup();
  await user.type(await field('Card number'), number);
  await user.type(await field('Expiry date'), expiry);
  await user.type(await field('Security code'), cvc);
  return user;
}

export async function payWith(number: string, expiry?: string, cvc?: string) {
  const user = await typeCard(number, expiry, cvc);
  await user.click(screen.getByRole('button', { name: 'PAY' }));
  return user;
}
