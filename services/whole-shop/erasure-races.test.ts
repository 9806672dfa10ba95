import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createdSchema } from '../contracts/answers.ts';
import { ERASED } from '../contracts/events.ts';
import { userIdOf } from '../identity/user-id.ts';
import { orderDecider } from '../shop/order/decide-order.ts';
import { userDecider } from '../shop/people/decide-user.ts';
import { checkInvariants } from './check-invariants.fixture.ts';
import { LIGHT_ADMIN, type LightShop, startLightShop } from './light-shop.fixture.ts';
import { repetitions } from './long-run.fixture.ts';
import { type Answer, addProduct, orderOf, type Person, signIn } from './shop-client.fixture.ts';
import { freshDataDir } from './shop-process.fixture.ts';

/** The number of times that each of the two races is run. */
const ROUNDS = repetitions({ few: 16, many: 500 });
/**
 * The second call of a race is delayed by fewer than this many turns of the event loop. In a race between a payment and
 * the deletion of the account, the delay is two or three times as long.
 */
const TURNS = 24;
const PATIENCE = { timeout: 20_000 };

describe('an erasure that races with an order', () => {
  const data = freshDataDir();
  let shop: LightShop;
  let admin: Person;
  let productId: string;

  beforeAll(async () => {
    shop = await startLightShop(data.path);
    admin = await signIn(shop.url, LIGHT_ADMIN);
    productId = await addProduct(admin, { quantity: 100_000 });
  });
  afterAll(async () => {
    await shop.stop();
    data.remove();
  });

  const personOf = ({ email }: Person) => userIdOf(email, shop.secrets.userId);
  const statusOf = async (orderId: string) => (await shop.core.handler.load(orderDecider, orderId)).state.status;
  const accountOf = async (person: Person) => (await shop.core.handler.load(userDecider, personOf(person))).state;
  const isErased = async (person: Person) => {
    const account = await accountOf(person);
    return account.status === 'closed' && account.completed;
  };

  /** Keeps the projector from saving documents until the returned function is called. */
  function holdProjection(): () => void {
    const { readModels } = shop.core;
    const { save } = readModels;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    readModels.save = async (documents) => {
      await released;
      return save(documents);
    };
    return () => {
      readModels.save = save;
      release();
    };
  }

  async function place(person: Person): Promise<string | null> {
    const answer = await person.call('POST', '/orders', orderOf(person, productId));
    return answer.status === 201 ? createdSchema.parse(answer.body).insertedId : null;
  }

  /** Returns the id of the payment intent, or null if the shop refuses the payment. */
  async function startPaying(person: Person, orderId: string): Promise<string | null> {
    const answer = await person.call('POST', '/create-payment-intent', { orderId, totalPrice: 1000 });
    const { clientSecret } = answer.body as { clientSecret?: string };
    return clientSecret?.replace(/_secret_.*$/, '') ?? null;
  }

  async function pay(person: Person, orderId: string): Promise<void> {
    const intent = await startPaying(person, orderId);
    if (intent === null) return;
    // Stripe refuses to confirm the payment intent if the erasure has cancelled the order and, with it, the intent.
    const confirming = shop.stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    if (!(await confirming.catch(() => null))) return;
    await person.call('PATCH', `/orders/${orderId}`, { transactionId: intent });
  }

  const remove = (person: Person) => person.call('DELETE', `/users/${person.email}`);

  async function later<T>(turns: number, work: () => Promise<T>): Promise<T> {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    return work();
  }

  /**
   * Resolves once the account has been kept or erased, or once its erasure is waiting only for a paid order to be
   * shipped.
   */
  async function settled(person: Person, orderIds: readonly string[]): Promise<void> {
    const isSettled = async () => {
      if ((await accountOf(person)).status === 'registered' || (await isErased(person))) return true;
      return (await Promise.all(orderIds.map(statusOf))).includes('paid');
    };
    await expect.poll(isSettled, PATIENCE).toBe(true);
  }

  /** Returns whether the order is paid but can't be shipped, because its address was erased. */
  async function isStranded(person: Person, orderId: string): Promise<boolean> {
    if ((await statusOf(orderId)) !== 'paid') return false;
    const shown = (await admin.call('GET', `/orders/${orderId}`)).body as { address: string };
    return shown.address === ERASED || (await shop.core.vault.find(personOf(person))) === null;
  }

  interface Tally {
    stranded: number;
    /** `waited` counts closed accounts whose erasure waited for a paid order to be shipped */
    readonly outcomes: Record<'kept' | 'erased' | 'waited', number>;
  }

  /** Records the outcome of a round. If the account was closed, ships its paid orders, so that the erasure can complete. */
  async function count(tally: Tally, person: Person, orderIds: readonly string[], removed: Answer): Promise<void> {
    await settled(person, orderIds);
    for (const orderId of orderIds) if (await isStranded(person, orderId)) tally.stranded += 1;
    if ((await accountOf(person)).status === 'registered') {
      expect(removed).toMatchObject({ status: 409, body: { code: 'order_on_its_way' } });
      tally.outcomes.kept += 1;
      return;
    }
    tally.outcomes[(await isErased(person)) ? 'erased' : 'waited'] += 1;
    for (const orderId of orderIds) {
      if ((await statusOf(orderId)) === 'paid') await admin.call('PUT', `/orders/${orderId}`);
    }
    await expect.poll(() => isErased(person), PATIENCE).toBe(true);
  }

  async function judge(what: string, tally: Tally): Promise<void> {
    console.info(`${what}: ${ROUNDS} rounds, ${tally.stranded} stranded orders; ${JSON.stringify(tally.outcomes)}`);
    expect(tally.stranded).toBe(0);
    // The check is repeated, because the last events may not have been projected yet, and the last e-mails may not have
    // been sent.
    const judged = async () => (await checkInvariants(shop.core, [userIdOf(LIGHT_ADMIN, shop.secrets.userId)])).faults;
    await expect.poll(judged, { ...PATIENCE, interval: 500 }).toEqual([]);
  }

  it(`ERASE1 deleting ${ROUNDS} accounts at different stages of an order leaves no paid order without its delivery address, even while the projector lags`, {
    timeout: 60_000 + ROUNDS * 2_000,
  }, async () => {
    const tally: Tally = { stranded: 0, outcomes: { kept: 0, erased: 0, waited: 0 } };
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await signIn(shop.url, `buyer-${round}@shop.test`);
      const release = holdProjection();
      const orderIds: string[] = [];
      const turns = (round * 7) % TURNS;
      const buy = async () => {
        const orderId = await place(person);
        if (orderId === null) return;
        orderIds.push(orderId);
        await pay(person, orderId);
      };
      let removed: Answer;
      if (round % 4 === 0) {
        await buy();
        removed = await remove(person);
      } else if (round % 4 === 1) {
        // The account is deleted while the order is being placed. If the order is placed, it is also paid for, unless
        // the shop refuses the payment.
        [, removed] = await Promise.all([buy(), later(turns, () => remove(person))]);
      } else {
        const orderId = (await place(person)) ?? '';
        orderIds.push(orderId);
        [, removed] = await Promise.all([pay(person, orderId), later(turns * (round % 4), () => remove(person))]);
      }
      release();
      await count(tally, person, orderIds, removed);
    }
    await judge('place, pay, delete the account', tally);
  });

  it(`ORD11 ERASE1 withdrawing ${ROUNDS} shipments while their customers' accounts are being deleted leaves no paid order without its delivery address`, {
    timeout: 60_000 + ROUNDS * 2_000,
  }, async () => {
    const tally: Tally = { stranded: 0, outcomes: { kept: 0, erased: 0, waited: 0 } };
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await signIn(shop.url, `keeper-${round}@shop.test`);
      const orderId = (await place(person)) ?? '';
      await pay(person, orderId);
      await admin.call('PUT', `/orders/${orderId}`);
      const release = round % 2 === 0 ? holdProjection() : () => {};
      const turns = (round * 5) % TURNS;
      const withdraw = () => admin.call('POST', `/orders/${orderId}/withdrawal`, { shipment: 1 });
      const [removed, withdrawn] = await Promise.all(
        round % 4 < 2 ? [remove(person), later(turns, withdraw)] : [later(turns, () => remove(person)), withdraw()],
      );
      release();
      const status = withdrawn.status === 200 ? 'paid' : 'shipped';
      if (status === 'shipped') expect(withdrawn).toMatchObject({ status: 409, body: { code: 'shipment_final' } });
      expect(await statusOf(orderId)).toBe(status);
      await count(tally, person, [orderId], removed);
    }
    await judge('withdraw the shipment, delete the account', tally);
  });
});
