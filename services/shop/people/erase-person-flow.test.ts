import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERASED } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { createCommandHandler } from '../../engine/commands/command-handler.ts';
import { createSealing } from '../../engine/log/sealing.ts';
import { createProjector } from '../../engine/projector/project.ts';
import { createPolicies } from '../../process/policies.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import { META, newId, type PayingShop, startPayingShop } from '../payment/paying-shop.fixture.ts';
import { shopProjection } from '../projection.ts';
import { reviewDecider } from '../review/review.ts';
import { userDecider } from './decide-user.ts';
import { createErasures, type PersonalStores } from './erase-person-flow.ts';

describe('erasing a person', () => {
  let shop: PayingShop;
  beforeEach(async () => {
    shop = await startPayingShop();
  });
  afterEach(() => shop.close());

  const person = META.actor;
  const userEvents = async () => shop.sealing.openAll(await shop.log.readStream(streamName('user', person), 0, 100));

  async function close(): Promise<void> {
    const command = { userId: person, uid: 'uid-1', email: 'farida@shop.test', name: 'Farida', grantAdmin: false };
    const meta = { ...META, time: isoTime(shop.clock()) };
    await shop.handler.execute(
      userDecider,
      person,
      { type: 'RegisterUser', ...command },
      { ...meta, cause: 'sign-in' },
    );
    const erased = { type: 'CloseAccount', reason: 'erased', delisted: 0 } as const;
    await shop.handler.execute(userDecider, person, erased, { ...meta, cause: 'close' });
  }

  /** Places an order and pays for it. Resolves once the payment's webhook has been delivered. */
  async function placePaid(): Promise<{ orderId: string; intent: string }> {
    const orderId = await shop.place();
    const intent = await shop.startPaying(orderId);
    await shop.pay(intent);
    await shop.delivered();
    return { orderId, intent };
  }

  function ship(orderId: string) {
    const time = isoTime(shop.clock());
    const meta = { ...META, cause: `ship:${orderId}`, time };
    return shop.handler.execute(orderDecider, orderId, { type: 'ShipOrder', now: time }, meta);
  }

  async function typesOf(orderId: string): Promise<string[]> {
    return (await shop.history(orderId)).map((event) => (event as { type: string }).type);
  }

  /**
   * Creates policies with a stubbed PersonalStores that records calls in `asked`. `change` overrides some of the stub's
   * methods.
   */
  function erasing(change: Partial<PersonalStores> = {}) {
    const asked: string[] = [];
    const stores: PersonalStores = {
      forgetKey: shop.sealing.erase,
      forgetPayers: async (intents) => void asked.push(...intents),
      wipe: async () => void asked.push('wipe'),
      deleteAccount: async (uid) => void asked.push(uid),
      ...change,
    };
    const { handler, log, clock, logger, vault } = shop;
    const erasures = createErasures({ handler, log, vault, stores, logger });
    return { asked, policies: createPolicies({ handler, clock, logger, erasures }) };
  }

  it('ERASE1 an erasure completes once the identity provider is back, and appends no event twice even if several copies of the shop run it', async () => {
    const unpaid = await shop.place();
    const { orderId: shipped, intent } = await placePaid();
    await ship(shipped);
    await close();
    const events = await userEvents();
    const closed = events.at(-1)?.id ?? '';
    let isAway = true;
    const first = erasing({
      async deleteAccount(uid) {
        if (isAway) throw new Error('the provider is away');
        first.asked.push(uid);
      },
    });
    expect(await first.policies.run(events)).toEqual(new Set([closed]));
    await expect.poll(() => shop.lines.join('')).toContain('the provider is away');
    expect((await userEvents()).at(-1)?.type).toBe('AccountClosed');
    isAway = false;
    const copies = [first, erasing(), erasing()];
    for (const { policies } of copies) await expect.poll(() => policies.run(events)).toEqual(new Set());
    expect(first.asked).toEqual(expect.arrayContaining([intent, 'uid-1']));
    expect(first.asked).not.toContain('wipe');
    for (const id of [unpaid, shipped]) {
      expect((await typesOf(id)).filter((type) => type === 'PersonalDataErased')).toEqual(['PersonalDataErased']);
    }
    expect((await shop.history(unpaid)).at(-2)).toMatchObject({ type: 'OrderCancelled', reason: 'customer' });
    const after = await userEvents();
    expect(after.map(({ type }) => type)).toEqual(['UserRegistered', 'AccountClosed', 'ErasureCompleted']);
    await first.policies.run(after.slice(-1));
    expect(first.asked.at(-1)).toBe('wipe');
  });

  it('FEED3 ERASE1 if the identity provider never responds, no event is delayed, and everything except the account at the provider is erased', async () => {
    const orderId = await shop.place();
    await shop.project();
    await close();
    const events = await userEvents();
    const { policies } = erasing({ deleteAccount: () => new Promise<never>(() => {}) });
    const closed = events.at(-1)?.id ?? '';
    expect(await policies.run(events)).toEqual(new Set([closed]));
    await expect.poll(() => shop.history(orderId)).toContainEqual({ type: 'PersonalDataErased' });
    expect(await policies.run(events)).toEqual(new Set([closed]));
    expect((await userEvents()).at(-1)?.type).toBe('AccountClosed');
  });

  it('ERASE1 an order that was paid while the account was being closed keeps its address until it is shipped', async () => {
    const unpaid = await shop.place();
    const { orderId } = await placePaid();
    await close();
    // No events are projected in this test, so the erasure has to find the orders in the log.
    const events = await userEvents();
    const { policies } = erasing();
    await policies.run(events);
    await expect.poll(() => shop.lines.join('')).toContain('OrdersOnTheirWay');
    expect(await shop.vault.find(person)).toBeInstanceOf(Buffer);
    expect(await typesOf(orderId)).not.toContain('PersonalDataErased');
    await ship(orderId);
    await expect.poll(() => policies.run(events)).toEqual(new Set());
    expect(await shop.vault.find(person)).toBeNull();
    expect((await typesOf(orderId)).slice(-2)).toEqual(['OrderShipped', 'PersonalDataErased']);
    expect((await typesOf(unpaid)).slice(-2)).toEqual(['OrderCancelled', 'PersonalDataErased']);
  });

  it("ERASE1 BACKUP1 a paid order restored from a backup doesn't delay an erasure if the person's key has already been erased", async () => {
    const { orderId } = await placePaid();
    await close();
    await shop.sealing.erase(person);
    const events = await userEvents();
    const { policies } = erasing();
    await expect.poll(() => policies.run(events)).toEqual(new Set());
    expect((await typesOf(orderId)).at(-1)).toBe('PersonalDataErased');
  });

  it("ERASE1 LOG3 personal data is erased even if a process that still caches the person's key saves it after the erasure", async () => {
    const { log, logger, readModels, clock, vault } = shop;
    await close();
    // A process that has already read this person's data keeps the key cached for a minute.
    const sealing = createSealing({ vault, log, logger });
    const events = await log.readStream(streamName('user', person), 0, 100);
    expect((await sealing.openAll(events))[0]?.data).toMatchObject({ personal: { name: 'Farida' } });
    const { asked, policies } = erasing();
    await expect.poll(async () => policies.run(await userEvents())).toEqual(new Set());

    const late = createCommandHandler({ log, sealing, newId });
    const [orderId, reviewId] = [await shop.place(late), newId()];
    const post = { type: 'PostReview', userId: person, name: 'Casing', ratings: 5, description: 'Quiet.' } as const;
    const meta = { ...META, cause: newId(), time: isoTime(clock()) };
    await late.execute(reviewDecider, reviewId, { ...post, username: 'Farida' }, meta);
    const { run: runPolicies } = policies;
    const projector = createProjector({ log, sealing, readModels, projection: shopProjection, clock, runPolicies });
    const projectAll = async () => projector.project((await log.readAll(null, 1_000)).events);
    await projectAll();
    // The documents contain plain text until the events that the policies appended have been projected as well.
    expect(await readModels.get('order', orderId)).toMatchObject({ name: 'Rumi', status: 'unpaid' });
    expect(await readModels.get('review', reviewId)).toMatchObject({ username: 'Farida' });
    asked.length = 0;

    expect(await projectAll()).toEqual(new Set());
    const erased = { name: ERASED, email: ERASED, phone: ERASED, address: ERASED, status: 'cancelled' };
    expect(await readModels.get('order', orderId)).toMatchObject(erased);
    expect(await readModels.get('review', reviewId)).toMatchObject({ username: ERASED });
    expect(asked).toContain('wipe');
    expect((await typesOf(orderId)).slice(-2)).toEqual(['OrderCancelled', 'PersonalDataErased']);
  });

  it("ERASE1 an erasure that waits for a paid order to ship doesn't erase that order's address", async () => {
    const { orderId } = await placePaid();
    await close();
    const { policies } = erasing();
    const placed = await shop.sealing.openAll(await shop.log.readStream(streamName('order', orderId), 0, 1));
    expect(await policies.run(placed)).toEqual(new Set());
    expect(await typesOf(orderId)).not.toContain('PersonalDataErased');
  });

  it("ERASE1 a process that can't perform erasures leaves the AccountClosed event to another process", async () => {
    await close();
    const events = await userEvents();
    expect(await createPolicies(shop.scanSettings).run(events)).toEqual(new Set([events.at(-1)?.id]));
  });
});
