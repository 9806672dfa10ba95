import type { Dice } from './dice.ts';
import { type Asked, type Person, signIn } from './people.ts';
import type { ApiAnswer } from './simulated-api.ts';
import {
  type Action,
  ask,
  askTogether,
  get,
  noteOrder,
  post,
  put,
  remove,
  type SeenProduct,
  type Site,
  userUrl,
} from './site.ts';

const MINUTE_MS = 60_000;
const USUAL_CARDS = ['pm_card_visa', 'pm_card_visa', 'pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeDeclined'];
/** Cards whose payments take time, or about which the bank decides something later. */
const SLOW_CARDS = [
  'pm_card_processingThenSucceeds',
  'pm_card_processingThenFails',
  'pm_card_pendingRefund',
  'pm_card_refundFail',
  'pm_card_createDispute',
  'pm_card_createDisputeInquiry',
];

/** Erases a person's account, sometimes while an admin withdraws the shipment of one of the person's orders. */
async function eraseAccount(site: Site, person: Person): Promise<void> {
  const erased = person.name;
  const request = remove(userUrl(person));
  const withdrawal = withdrawalOf(site, person);
  const answer = withdrawal
    ? (await askTogether(site, [{ person, request }, withdrawal], 60))[0]
    : await ask(site, person, request);
  // A request whose outcome is unknown may also have erased the person.
  if (answer && answer.status !== 200) return;
  if (answer) site.reference.erased(erased);
  person.token = null;
  person.uid = null;
  person.orders.clear();
}

function withdrawalOf({ people }: Site, { orders, dice }: Person): Asked | null {
  const shipped = [...orders].filter(([, { status }]) => status === 'shipped');
  const admin = people.find(({ isAdmin, token }) => isAdmin && token !== null);
  if (shipped.length === 0 || !admin) return null;
  const [id, { shipments }] = dice.pick(shipped);
  const body = { shipment: Math.max(1, shipments), reason: 'mistake' };
  return { person: admin, request: post(`/orders/${id}/withdrawal`, body, dice.id()) };
}

function placementOf(
  { name, email }: Person,
  [productId, product]: [string, SeenProduct],
  { quantity, dice }: { readonly quantity: number; readonly dice: Dice },
) {
  const body = {
    name,
    email,
    phone: '01711459302',
    address: 'House 7, Road 27, Dhanmondi',
    product: product.name,
    productId,
    quantity,
    ...(dice.chance(0.8) && { price: product.price }),
  };
  return post('/orders', body, dice.id());
}

function notePlacement(site: Site, { person, request }: Asked, answer: ApiAnswer | null): void {
  if (answer?.status !== 201) return;
  // If the person has another account by now, it doesn't repeat what the old one sent.
  if ((request.body as { name: string }).name === person.name) person.lastPlacement = request;
  const { insertedId, version } = answer.body as { insertedId: string; version: number };
  const order = { version, status: 'unpaid', total: 0, shipments: 0, customer: person };
  site.orders.set(insertedId, order);
  person.orders.set(insertedId, order);
}

/** Returns the product's stock, or null if the shop doesn't tell. */
async function stockOf(site: Site, person: Person, productId: string): Promise<number | null> {
  const found = await ask(site, person, get(`/products/${productId}`));
  return found?.status === 200 ? (found.body as { quantity: number }).quantity : null;
}

/** Returns how long the person takes to enter their card, in ms. Some people pay just before their order expires. */
function pauseBeforePayment({ world }: Site, { dice }: Person, { expiresAt }: { expiresAt: string }): number {
  const left = Date.parse(expiresAt) - world.time.now();
  if (left < MINUTE_MS || !dice.chance(0.2)) return dice.between(0, MINUTE_MS / 2);
  world.note('a customer paid in the last minute');
  return left - dice.between(0, MINUTE_MS);
}

export const CUSTOMER_ACTIONS = {
  async placeOrder(site, person) {
    const { dice } = person;
    if (site.products.size === 0) return;
    const product = dice.pick([...site.products]);
    const request = placementOf(person, product, { quantity: dice.between(1, 3), dice });
    notePlacement(site, { person, request }, await ask(site, person, request));
  },
  async buyLastPieces(site, person) {
    const { dice } = person;
    if (site.products.size === 0) return;
    const product = dice.pick([...site.products]);
    const quantity = await stockOf(site, person, product[0]);
    if (!quantity) return;
    const request = placementOf(person, product, { quantity, dice });
    notePlacement(site, { person, request }, await ask(site, person, request));
  },
  /** Everybody who is signed in orders the same product at the same moment. One person does so in two tabs. */
  async rush(site, person) {
    const { dice, token } = person;
    if (site.products.size === 0 || token === null) return;
    const product = dice.pick([...site.products]);
    const crowd = [person, ...site.people.filter((other) => other.token !== null)];
    const asked = crowd.map((one) => ({
      person: one,
      request: placementOf(one, product, { quantity: dice.between(1, 3), dice }),
    }));
    const answers = await askTogether(site, asked, dice.pick([0, 30, 300]));
    for (const [index, one] of asked.entries()) notePlacement(site, one, answers[index] ?? null);
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
    await site.world.time.sleep(pauseBeforePayment(site, person, found.body as { expiresAt: string }));
    // Another tab cancels the order just before the card is charged, so the payment has to be refunded.
    if (person.dice.chance(0.15)) await ask(site, person, remove(`/orders/${id}`));
    if (person.dice.chance(0.02)) await eraseAccount(site, person);
    const status = await site.providers.stripe.confirm(
      intent,
      clientSecret,
      person.dice.pick(person.dice.chance(0.2) ? SLOW_CARDS : USUAL_CARDS),
    );
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
  /** Changes an order several times, and looks at the list of orders in between. */
  async listDuringChanges(site, person) {
    const open = [...person.orders].filter(([, { status }]) => status === 'unpaid' || status === 'paid');
    if (open.length === 0) return;
    const [id] = person.dice.pick(open);
    const list = get(`/individual?email=${encodeURIComponent(person.email)}`);
    const change = (number: number) => put(`/orders/${id}/delivery`, { address: `Block ${number}` });
    const requests = [change(1), list, change(2), list, change(3), list, list];
    const asked = requests.map((request) => ({ person, request }));
    await askTogether(site, asked, person.dice.pick([100, 600]));
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
  /** Changes the e-mail address at the identity provider. In the shop, the new address is a new account. */
  async changeEmail(site, person) {
    const isShared = site.people.some((other) => other !== person && other.uid === person.uid);
    if (person.uid === null || person.isAdmin || isShared) return;
    person.email = `new-${person.email}`;
    site.providers.identity.changeEmail(person.uid, person.email);
    person.token = null;
    person.orders.clear();
  },
  async signOut(site, person) {
    person.token = null;
    if (person.uid !== null && person.dice.chance(0.5)) site.providers.identity.signOutEverywhere(person.uid);
  },
} satisfies Record<string, Action>;

export const CUSTOMER_WEIGHTS: Record<keyof typeof CUSTOMER_ACTIONS, number> = {
  placeOrder: 30,
  buyLastPieces: 3,
  rush: 2,
  repeatPlacement: 5,
  pay: 40,
  cancelOrder: 6,
  changeDelivery: 4,
  lookAtOrder: 6,
  listOwnOrders: 4,
  listDuringChanges: 4,
  postReview: 4,
  eraseAccount: 1,
  exportData: 1,
  takeOver: 1,
  changeEmail: 1,
  signOut: 1,
};
