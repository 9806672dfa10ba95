import type { Person } from './people.ts';
import { signIn } from './people.ts';
import { type Action, ask, get, noteOrder, post, put, remove, type Site, userUrl } from './site.ts';

const CARDS = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeDeclined'];

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

export const CUSTOMER_ACTIONS = {
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
