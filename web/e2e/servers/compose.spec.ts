import type { Page } from '@playwright/test';
import { createCleanup } from '../../../services/process/cleanup.ts';
import { buyAndShip, fillOrderFromCatalogue } from '../buying.fixture.ts';
import { liveDot, PEOPLE, watchForReload } from '../shop.fixture.ts';
import { type ComposeStack, type StackContainer, startComposeStack } from './compose-stack.fixture.ts';
import { test as base, expect } from './person-at.fixture.ts';
import { socketsIn } from './servers-shop.fixture.ts';

/** The first build takes minutes on a slow machine. Later builds reuse its cached layers and take seconds. */
const BUILD_AND_UP_MS = 20 * 60_000;
/**
 * How soon a page must recover. This limit is long, because a missing ping may be the page's only sign that its
 * connection is dead.
 */
const RECOVERED = { timeout: 90_000 };

const test = base.extend<object, { stack: ComposeStack }>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern
    async ({}, use) => {
      const cleanup = createCleanup();
      try {
        await use(await startComposeStack(cleanup));
      } finally {
        await cleanup.run();
      }
    },
    { scope: 'worker', timeout: BUILD_AND_UP_MS },
  ],
});

test.afterEach(async ({ stack }, { status, expectedStatus }) => {
  if (status !== expectedStatus) console.log(await stack.complaints());
});

test('X7 each of the roles api, projector and live runs in two containers, and only the container of the web server can be reached from outside', async ({
  stack,
}) => {
  const running = await stack.running();
  const services = running.map(({ service }) => service).sort();
  expect(services.join(' ')).toBe(
    'api api demo-identity demo-stripe kafka live live mongo projector projector redis web',
  );
  const published = running.flatMap(({ service, published }) => published.map((port) => `${service} ${port}`));
  expect(published).toEqual([`web 127.0.0.1:${new URL(stack.url).port}->8080/tcp`]);

  expect((await fetch(stack.url, { headers: { accept: 'text/html' } })).status).toBe(200);
  for (const path of ['/metrics', '/readyz']) {
    expect((await fetch(stack.url + path)).status, path).toBe(404);
    for (const { id } of running.filter(({ service }) => ['api', 'live'].includes(service))) {
      await stack.exec(id, 'check-http', '8080', path);
    }
  }
});

test('X3 X7 LIVE2 an order is placed, paid for and shipped on the Compose stack, and so is a second order after one API container and one live gateway are killed', async ({
  stack,
  personAt,
}) => {
  test.setTimeout(300_000);
  const shopper = await personAt(stack.url, PEOPLE.shopper);
  const admin = await personAt(stack.url, PEOPLE.admin);
  await admin.goto('/dashboard/allorder');
  for (const page of [shopper, admin]) await expect(liveDot(page)).toHaveText('Live');
  const shopperStayed = await watchForReload(shopper);
  const adminStayed = await watchForReload(admin);
  await orderAndShip(shopper, admin, 'Norwester G7');

  const [api] = await copiesOf(stack, 'api');
  const [followed, other] = await liveCopies(stack);
  await stack.kill(api?.id ?? '');
  await stack.kill(followed.id);
  await expect.poll(() => socketsOf(stack, other), RECOVERED).toBe(2);
  for (const page of [shopper, admin]) await expect(liveDot(page)).toHaveText('Live', RECOVERED);
  expect(await copiesOf(stack, 'api')).toHaveLength(1);
  expect(await copiesOf(stack, 'live')).toHaveLength(1);
  await orderAndShip(shopper, admin, 'Heron Mini');

  expect(await shopperStayed()).toBe(true);
  expect(await adminStayed()).toBe(true);
});

test('taking down the Compose stack leaves no containers, networks or volumes behind', async ({ stack }) => {
  test.setTimeout(180_000);
  const parts = await stack.parts();
  for (const kind of [parts.containers, parts.networks, parts.volumes]) expect(kind).not.toEqual([]);
  await stack.down();
  expect(await stack.parts()).toEqual({ containers: [], networks: [], volumes: [] });
});

/** Takes an order from the catalogue to shipment using only clicks, without reloading a page. */
async function orderAndShip(shopper: Page, admin: Page, product: string): Promise<void> {
  await shopper.getByRole('link', { name: 'Products', exact: true }).click();
  await fillOrderFromCatalogue(shopper, product);
  await buyAndShip(shopper, admin, product);
}

async function copiesOf(stack: ComposeStack, service: string): Promise<StackContainer[]> {
  return (await stack.running()).filter((container) => container.service === service);
}

/**
 * Waits until both pages are connected to copies of the live role. Returns the two copies, the one with more
 * connections first.
 */
async function liveCopies(stack: ComposeStack): Promise<[StackContainer, StackContainer]> {
  const [one, two] = await copiesOf(stack, 'live');
  if (!one || !two) throw new Error('Fewer than two copies of live are running.');
  const sockets = () => Promise.all([socketsOf(stack, one), socketsOf(stack, two)]);
  await expect.poll(async () => (await sockets()).reduce((sum, count) => sum + count), RECOVERED).toBe(2);
  const [ofOne, ofTwo] = await sockets();
  return ofOne >= ofTwo ? [one, two] : [two, one];
}

async function socketsOf(stack: ComposeStack, { id }: StackContainer): Promise<number> {
  const print = 'fetch("http://127.0.0.1:8080/metrics").then((answer) => answer.text()).then(console.log)';
  return socketsIn(await stack.exec(id, 'node', '-e', print));
}
