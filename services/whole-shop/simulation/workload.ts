import type { Dice } from './dice.ts';
import { type Client, type Person, type SeenOrder, signIn } from './people.ts';
import type { Reference } from './reference.ts';
import type { ApiAnswer, ApiRequest } from './simulated-api.ts';
import type { Providers } from './simulated-shop.ts';
import type { World } from './world.ts';

/** How often people perform each action, relative to the other actions. 0 means never. */
export type Workload = Readonly<Record<keyof typeof CUSTOMER_ACTIONS | keyof typeof ADMIN_ACTIONS, number>>;

export interface Site {
  readonly world: World;
  readonly client: Client;
  readonly providers: Providers;
  readonly reference: Reference;
  readonly people: readonly Person[];
  /** true if no process's clock ever deviates */
  readonly exactClocks: boolean;
  readonly mostProducts: number;
  /** the products that admins have added, by id */
  readonly products: Map<string, SeenProduct>;
  /** all orders that were placed, by id */
  readonly orders: Map<string, SeenOrder & { readonly customer: Person }>;
  /** the names of the actions to leave out (`skipped`) and of those that people have performed (`done`) */
  readonly skipped: ReadonlySet<string>;
  readonly done: string[];
  /** the e-mail addresses of the people to whom admins have tried to grant the admin role */
  readonly madeAdmins: Set<string>;
}

interface SeenProduct {
  readonly name: string;
  price: number;
  version: number;
}

type Action = (site: Site, person: Person) => Promise<void>;

const CARDS = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeDeclined'];

const put = (url: string, body: unknown) => ({ method: 'PUT', url, body }) as const;
const post = (url: string, body: unknown, key: string) => ({ method: 'POST', url, body, key }) as const;
const remove = (url: string) => ({ method: 'DELETE', url }) as const;
const get = (url: string) => ({ method: 'GET', url }) as const;
const userUrl = ({ email }: Person) => `/users/${encodeURIComponent(email)}`;

/** Sends a request and lets the reference model judge the answer. */
async function ask(
  { client, reference }: Site,
  person: Person,
  request: Omit<ApiRequest, 'token'>,
): Promise<ApiAnswer | null> {
  const judge = reference.expect(person, request);
  const answer = await client.send(person, request);
  judge(answer);
  if (answer?.status === 401) person.token = null;
  return answer;
}

function noteOrder(site: Site, person: Person, id: string, answer: ApiAnswer | null): void {
  const view = answer?.status === 200 ? (answer.body as Record<string, unknown>) : null;
  const seen = site.orders.get(id);
  if (!view || !seen || typeof view.version !== 'number' || view.version < seen.version) return;
  seen.version = view.version;
  seen.status = statusOf(view);
  if (typeof view.shipment === 'number') seen.shipments = view.shipment;
  if (typeof view.totalPrice === 'number') seen.total = view.totalPrice;
  person.orders.set(id, seen);
}

function statusOf({ cancelledAt, status, paid }: Record<string, unknown>): string {
  if (cancelledAt !== null) return 'cancelled';
  if (status === 'shipped') return 'shipped';
  return paid ? 'paid' : 'unpaid';
}

async function eraseAccount(site: Site, person: Person): Promise<void> {
  const erased = person.name;
  const answer = await ask(site, person, remove(userUrl(person)));
  // A request whose outcome is unknown may also have erased the person.
  if (answer && answer.status !== 200) return;
  if (answer) site.reference.erased(erased);
  person.token = null;
  person.uid = null;
  person.orders.clear();
}

const CUSTOMER_ACTIONS = {
  async placeOrder(site, person) {
    const { dice } = person;
    if (site.products.size === 0) return;
    const [productId, product] = dice.pick([...site.products]);
    const body = {
      name: person.name,
      email: person.email,
      phone: '01711459302',
      address: 'House 7, Road 27, Dhanmondi',
      product: product.name,
      productId,
      quantity: dice.between(1, 3),
      ...(dice.chance(0.8) && { price: product.price }),
    };
    const request = post('/orders', body, dice.id());
    const answer = await ask(site, person, request);
    if (answer?.status !== 201) return;
    person.lastPlacement = request;
    const { insertedId, version } = answer.body as { insertedId: string; version: number };
    const order = { version, status: 'unpaid', total: 0, shipments: 0, customer: person };
    site.orders.set(insertedId, order);
    person.orders.set(insertedId, order);
  },
  /** Sends the person's last placement again, as a browser does after a lost answer. */
  async repeatPlacement(site, person) {
    if (person.lastPlacement === null) return;
    const { body, ...request } = person.lastPlacement;
    const isChanged = person.dice.chance(0.3);
    await ask(site, person, { ...request, body: isChanged ? { ...(body as object), quantity: 9 } : body });
  },
  async pay(site, person) {
    const unpaid = [...person.orders].filter(([, { status }]) => status === 'unpaid');
    if (unpaid.length === 0) return;
    const [id] = person.dice.pick(unpaid);
    const found = await ask(site, person, get(`/orders/${id}`));
    noteOrder(site, person, id, found);
    if (found?.status !== 200) return;
    const { totalPrice } = found.body as { totalPrice: number };
    const body = { orderId: id, totalPrice };
    const answer = await ask(site, person, { method: 'POST', url: '/create-payment-intent', body });
    if (answer?.status !== 200) return;
    const { clientSecret } = answer.body as { clientSecret: string };
    const intent = clientSecret.split('_secret')[0] ?? '';
    await site.world.time.sleep(person.dice.between(0, 30_000));
    // Another tab cancels the order just before the card is charged, so the payment has to be refunded.
    if (person.dice.chance(0.15)) await ask(site, person, remove(`/orders/${id}`));
    if (person.dice.chance(0.02)) await eraseAccount(site, person);
    const status = await site.providers.stripe.confirm(intent, clientSecret, person.dice.pick(CARDS));
    site.world.say(`${person.name} confirms a payment: ${status ?? 'refused'}`);
    if (status !== 'succeeded' || person.dice.chance(0.3)) return;
    await ask(site, person, { method: 'PATCH', url: `/orders/${id}`, body: { transactionId: intent } });
  },
  async cancelOrder(site, person) {
    if (person.orders.size === 0) return;
    const [id] = person.dice.pick([...person.orders]);
    const answer = await ask(site, person, remove(`/orders/${id}`));
    const seen = site.orders.get(id);
    if (answer?.status === 200 && seen) seen.status = 'cancelled';
  },
  async changeDelivery(site, person) {
    if (person.orders.size === 0) return;
    const [id] = person.dice.pick([...person.orders]);
    await ask(site, person, put(`/orders/${id}/delivery`, { address: `Road ${person.dice.between(1, 99)}` }));
  },
  async lookAtOrder(site, person) {
    if (site.orders.size === 0) return;
    const [id] = person.dice.pick([...site.orders]);
    noteOrder(site, person, id, await ask(site, person, get(`/orders/${id}`)));
  },
  async listOwnOrders(site, person) {
    await ask(site, person, get(`/individual?email=${encodeURIComponent(person.email)}`));
  },
  async postReview(site, person) {
    if (site.products.size === 0) return;
    const { name } = person.dice.pick([...site.products.values()]);
    const body = { name, ratings: person.dice.between(1, 5), username: person.name, description: 'Quiet and cool.' };
    await ask(site, person, post('/reviews', body, person.dice.id()));
  },
  eraseAccount,
  async exportData(site, person) {
    await ask(site, person, get(`${userUrl(person)}/export`));
  },
  /** A new owner of the e-mail address gets a new account at the identity provider. */
  async takeOver(site, person) {
    if (person.uid !== null) site.providers.identity.deleteAccount(person.uid);
    person.token = null;
    person.uid = null;
    person.orders.clear();
    await signIn(person, site.client, site.providers);
  },
  async signOut(site, person) {
    person.token = null;
    if (person.uid !== null && person.dice.chance(0.5)) site.providers.identity.signOutEverywhere(person.uid);
  },
} satisfies Record<string, Action>;

const ADMIN_ACTIONS = {
  async addProduct(site, person) {
    if (site.products.size >= site.mostProducts) return;
    const { dice } = person;
    const name = `Case ${site.products.size + 1}`;
    const price = dice.between(100, 9_000);
    const body = {
      name,
      price,
      quantity: dice.between(1, site.mostProducts === 1 ? 400 : 40),
      minorder: dice.between(1, 2),
    };
    const answer = await ask(site, person, post('/products', body, dice.id()));
    if (answer?.status !== 201) return;
    const { insertedId, version } = answer.body as { insertedId: string; version: number };
    site.products.set(insertedId, { name, price, version });
  },
  async changeProduct(site, person) {
    if (site.products.size === 0) return;
    const [id, seen] = person.dice.pick([...site.products]);
    const found = await ask(site, person, get(`/products/${id}`));
    if (found?.status !== 200) return;
    const { version, price } = found.body as { version: number; price: number };
    Object.assign(seen, { version, price });
    const changes = person.dice.chance(0.5)
      ? { quantity: person.dice.between(0, 40), version }
      : { price: person.dice.between(100, 9_000) };
    await ask(site, person, put(`/products/${id}`, changes));
  },
  async removeProduct(site, person) {
    if (site.products.size < 3) return;
    const [id] = person.dice.pick([...site.products]);
    if ((await ask(site, person, remove(`/products/${id}`)))?.status === 200) site.products.delete(id);
  },
  async ship(site, person) {
    const paid = await paidOrders(site, person);
    if (paid.length === 0) return;
    const { id, version } = person.dice.pick(paid);
    const parcel = person.dice.chance(0.3) ? { carrier: 'pathao', trackingNumber: 'MC-0001' } : {};
    const answer = await ask(site, person, put(`/orders/${id}`, { version, ...parcel }));
    const seen = site.orders.get(id);
    if (answer?.status === 200 && seen) Object.assign(seen, { status: 'shipped', shipments: seen.shipments + 1 });
  },
  async shipMany(site, person) {
    const paid = await paidOrders(site, person);
    if (paid.length === 0) return;
    const orders = paid.slice(0, person.dice.between(1, 10)).map(({ id, version }) => ({ id, version }));
    const answer = await ask(site, person, post('/shipments', { orders }, person.dice.id()));
    if (answer?.status !== 200) return;
    for (const { id, outcome, shipment } of answer.body as { id: string; outcome: string; shipment?: number }[]) {
      const seen = site.orders.get(id);
      if (outcome === 'shipped' && seen) Object.assign(seen, { status: 'shipped', shipments: shipment });
    }
  },
  async shipUnseen(site, person) {
    if (site.orders.size === 0) return;
    const [id] = person.dice.pick([...site.orders]);
    await ask(site, person, put(`/orders/${id}`, undefined));
  },
  /** Ships an order as it was seen, while others correct its address. */
  async shipDuringCorrections(site, person) {
    const paid = await paidOrders(site, person);
    if (paid.length === 0) return;
    const { id, version } = person.dice.pick(paid);
    const correct = (number: number) => put(`/orders/${id}/delivery`, { address: `Lane ${number}` });
    const requests = [correct(1), correct(2), put(`/orders/${id}`, { version }), correct(3)];
    await Promise.all(requests.map((request) => ask(site, person, request)));
  },
  async withdraw(site, person) {
    const shipped = [...site.orders].filter(([, { status }]) => status === 'shipped');
    if (shipped.length === 0) return;
    const [id, { shipments }] = person.dice.pick(shipped);
    const body = { shipment: Math.max(1, shipments), ...(person.dice.chance(0.7) && { reason: 'mistake' }) };
    await ask(site, person, post(`/orders/${id}/withdrawal`, body, person.dice.id()));
  },
  async cancelAsAdmin(site, person) {
    if (site.orders.size === 0) return;
    const [id] = person.dice.pick([...site.orders]);
    await ask(site, person, remove(`/orders/${id}`));
  },
  async shareTracking(site, person) {
    if (site.orders.size === 0) return;
    const [id] = person.dice.pick([...site.orders]);
    const url = `/orders/${id}/tracking`;
    await ask(site, person, person.dice.chance(0.6) ? { method: 'POST', url } : remove(url));
  },
  async grantAdmin(site, person) {
    const other = person.dice.pick(site.people);
    const url = `/users/admin/${encodeURIComponent(other.email)}`;
    if (person.dice.chance(0.5)) return void (await ask(site, person, remove(url)));
    site.madeAdmins.add(other.email);
    await ask(site, person, put(url, undefined));
  },
  async releaseEmail(site, person) {
    const other = person.dice.pick(site.people);
    await ask(site, person, { method: 'POST', url: `${userUrl(other)}/release` });
  },
  async readBoard(site, person) {
    await ask(site, person, get(person.dice.pick(['/board/counts', '/board/today', '/orders', '/users', '/products'])));
  },
} satisfies Record<string, Action>;

async function paidOrders(site: Site, person: Person): Promise<{ id: string; version: number }[]> {
  const answer = await ask(site, person, get('/orders?status=paid'));
  if (answer?.status !== 200) return [];
  return (answer.body as { _id: string; version: number }[]).map(({ _id: id, version }) => ({ id, version }));
}

export const CUSTOMER_WEIGHTS: Record<keyof typeof CUSTOMER_ACTIONS, number> = {
  placeOrder: 30,
  repeatPlacement: 5,
  pay: 40,
  cancelOrder: 6,
  changeDelivery: 4,
  lookAtOrder: 6,
  listOwnOrders: 4,
  postReview: 4,
  eraseAccount: 1,
  exportData: 1,
  takeOver: 1,
  signOut: 1,
};

export const ADMIN_WEIGHTS: Record<keyof typeof ADMIN_ACTIONS, number> = {
  addProduct: 4,
  changeProduct: 8,
  removeProduct: 1,
  ship: 20,
  shipMany: 12,
  shipUnseen: 3,
  shipDuringCorrections: 3,
  withdraw: 8,
  cancelAsAdmin: 3,
  shareTracking: 3,
  grantAdmin: 3,
  releaseEmail: 1,
  readBoard: 4,
};

function pickWeighted<Name extends string>(dice: Dice, weights: Readonly<Record<Name, number>>): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let left = dice.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  throw new Error('Nobody does anything in this workload.');
}

/**
 * Lets a person act in one tab until `end`, about once every `pause` ms. Each action has its own random numbers, so
 * that leaving out an action doesn't change the person's other actions.
 */
export async function act(
  site: Site,
  person: Person,
  { workload, pause }: { readonly workload: Workload; readonly pause: number },
  { label, isAdmin, end }: { label: string; isAdmin: boolean; end: number },
): Promise<void> {
  const { world } = site;
  const { dice } = person;
  const actions = { ...CUSTOMER_ACTIONS, ...ADMIN_ACTIONS };
  const weights = isAdmin ? ADMIN_WEIGHTS : CUSTOMER_WEIGHTS;
  const drawn = Object.fromEntries(
    Object.keys(weights).map((name) => [name, workload[name as keyof Workload]]),
  ) as Record<keyof Workload, number>;
  for (let number = 1; ; number += 1) {
    await world.time.sleep(dice.between(1, 2 * pause));
    if (world.time.now() >= end) return;
    person.dice = dice.fork();
    const name = pickWeighted(dice, drawn);
    const action = `${label} ${number} ${name}`;
    if (site.skipped.has(action)) continue;
    site.done.push(action);
    if (await signIn(person, site.client, site.providers)) await actions[name](site, person);
  }
}
