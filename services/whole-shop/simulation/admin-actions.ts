import { GRANT_REASONS } from '../../contracts/order/order-reasons.ts';
import type { Person } from './people.ts';
import { type Action, ask, askTogether, get, post, put, remove, type Site, userUrl } from './site.ts';

export const ADMIN_ACTIONS = {
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
    const asked = requests.map((request) => ({ person, request }));
    await askTogether(site, asked, person.dice.pick([0, 30, 100]));
  },
  async withdraw(site, person) {
    const shipped = [...site.orders].filter(([, { status }]) => status === 'shipped');
    if (shipped.length === 0) return;
    const [id, { shipments }] = person.dice.pick(shipped);
    const body = { shipment: Math.max(1, shipments), ...(person.dice.chance(0.7) && { reason: 'mistake' }) };
    await ask(site, person, post(`/orders/${id}/withdrawal`, body, person.dice.id()));
  },
  /** Ships an order, takes that back, and ships the order again, all before the e-mail about the shipment is sent. */
  async shipAgain(site, person) {
    const paid = await paidOrders(site, person);
    if (paid.length === 0) return;
    const { id, version: seen } = person.dice.pick(paid);
    let version: unknown = seen;
    const steps = [
      () => put(`/orders/${id}`, { version }),
      () => post(`/orders/${id}/withdrawal`, { shipment: 1 }, person.dice.id()),
      () => put(`/orders/${id}`, { version }),
    ];
    for (const step of steps) {
      const answer = await ask(site, person, step());
      if (answer?.status !== 200) return;
      version = (answer.body as { version: number }).version;
      await site.world.time.sleep(person.dice.between(1_000, 9_000));
    }
    Object.assign(site.orders.get(id) ?? {}, { status: 'shipped', shipments: 2 });
  },
  /** Refunds all or part of an order, sometimes while somebody ships it or grants another refund. */
  async refund(site, person) {
    const { dice } = person;
    const paid = await ordersOf(site, person, dice.chance(0.7) ? 'paid' : 'shipped');
    if (paid.length === 0) return;
    const { id, version, totalPrice, moneyBack } = dice.pick(paid);
    const left = moneyBack?.left ?? totalPrice;
    const isWhole = dice.chance(0.5);
    const body = {
      amount: isWhole ? left : dice.between(1, Math.max(1, left)),
      reason: dice.pick(GRANT_REASONS),
      version,
      ...(isWhole && { cancel: dice.chance(0.5) }),
    };
    const grant = { person, request: post(`/orders/${id}/refunds`, body, dice.id()) };
    const rivals = [
      { person, request: put(`/orders/${id}`, { version }) },
      { person, request: post(`/orders/${id}/refunds`, body, dice.id()) },
    ];
    if (dice.chance(0.4)) await askTogether(site, [grant, dice.pick(rivals)], dice.pick([0, 30]));
    else await ask(site, person, grant.request);
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
    const { email } = person.dice.pick(site.people);
    site.madeAdmins.add(email);
    const answer = await ask(site, person, put(adminUrl(email), undefined));
    if (answer?.status === 200) tellRole(site, email, true);
  },
  async revokeAdmin(site, person) {
    const admins = site.people.filter(({ isAdmin }) => isAdmin);
    if (admins.length === 0) return;
    const { email } = person.dice.pick(admins);
    const answer = await ask(site, person, remove(adminUrl(email)));
    if (answer?.status === 200) tellRole(site, email, false);
  },
  async releaseEmail(site, person) {
    const other = person.dice.pick(site.people);
    await ask(site, person, { method: 'POST', url: `${userUrl(other)}/release` });
  },
  async readBoard(site, person) {
    await ask(site, person, get(person.dice.pick(['/board/counts', '/board/today', '/orders', '/users', '/products'])));
  },
} satisfies Record<string, Action>;

const adminUrl = (email: string) => `/users/admin/${encodeURIComponent(email)}`;

/** Lets the browsers of everybody with this e-mail address know about their role, as a push does. */
function tellRole({ people }: Site, email: string, isAdmin: boolean): void {
  for (const person of people) if (person.email === email) person.isAdmin = isAdmin;
}

interface ListedOrder {
  readonly id: string;
  readonly version: number;
  readonly totalPrice: number;
  readonly moneyBack?: { readonly left: number };
}

const paidOrders = (site: Site, person: Person) => ordersOf(site, person, 'paid');

async function ordersOf(site: Site, person: Person, status: 'paid' | 'shipped'): Promise<ListedOrder[]> {
  const answer = await ask(site, person, get(`/orders?status=${status}`));
  if (answer?.status !== 200) return [];
  return (answer.body as (ListedOrder & { _id: string })[]).map(({ _id: id, ...order }) => ({ ...order, id }));
}

export const ADMIN_WEIGHTS: Record<keyof typeof ADMIN_ACTIONS, number> = {
  addProduct: 4,
  changeProduct: 8,
  removeProduct: 1,
  ship: 20,
  shipMany: 12,
  shipUnseen: 3,
  shipDuringCorrections: 3,
  withdraw: 8,
  shipAgain: 4,
  cancelAsAdmin: 3,
  refund: 6,
  shareTracking: 3,
  grantAdmin: 2,
  revokeAdmin: 1,
  releaseEmail: 1,
  readBoard: 4,
};
