import { everyDocument } from '../../contracts/document-queries.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName, streamName } from '../../contracts/ids.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { mailsToSend } from '../../shop/mail/mail-documents.ts';
import { ordersToExpire, ordersWithDueWork } from '../../shop/order/order-documents.ts';
import { userList } from '../../shop/people/user-documents.ts';
import { checkInvariants, type Verdict } from '../check-invariants.fixture.ts';
import { checkHolds } from './hold-rules.ts';
import { checkMails } from './mail-rules.ts';
import { checkLedger, checkMoney, MAX_REFUNDS, openMoney } from './money-rules.ts';
import { checkOrder, unclaimedMails } from './order-rules.ts';
import { checkPayments } from './payment-rules.ts';
import { idsOf } from './people.ts';
import { checkPeople, openErasures, waitingErasures } from './people-rules.ts';
import { hasExactClocks, type Plan } from './plan.ts';
import { FIRST_ADMIN, SETTINGS } from './simulated-api.ts';
import { listedFailures, type SimulatedShop } from './simulated-shop.ts';
import type { Site } from './site.ts';

const LATE_MS = 5 * 60_000;

export interface SimulatedVerdict {
  readonly events: number;
  readonly types: Readonly<Record<string, number>>;
  readonly streams: Verdict['streams'];
  /** one sentence for each violated rule */
  readonly faults: readonly string[];
  /** one sentence for each kind of unfinished work, which counts as a fault only after enough time has passed */
  readonly unfinished: readonly string[];
}

/**
 * Checks the stored data against the rules. While work is unfinished, documents may lag behind, so call this again
 * later.
 */
export async function judge(site: Site, shop: SimulatedShop, plan: Plan): Promise<SimulatedVerdict> {
  const { stores } = shop;
  const exactClocks = hasExactClocks(plan);
  const durableAt = ({ id }: RecordedEvent) => site.world.durableAt.get(id) ?? 0;
  const unhandled = await shop.unfinished();
  const unfinished = await openWork(site, shop);
  const admins = [FIRST_ADMIN, ...site.madeAdmins].flatMap(idsOf);
  const { events, types, faults, streams } = await checkInvariants(stores, admins);
  const lagging = (sentence: string) => sentence.startsWith('the document of');
  return {
    events,
    types,
    faults: [
      ...checkPeople(streams, { maxUnpaid: SETTINGS.maxUnpaidOrders, exactClocks, durableAt }),
      ...(exactClocks ? checkHolds(streams, durableAt) : []),
      ...faults.filter((one) => !lagging(one)),
      ...checkMoney(streams, site.providers.stripe),
      ...(await checkPlaced(site, shop)),
      ...checkMails(streams, site),
      ...checkPayments(streams, site, exactClocks),
    ],
    streams,
    unfinished: [
      ...unfinished,
      ...unhandledEvents(unhandled, streams),
      ...openErasures(streams),
      ...unclaimedMails(streams),
      ...(await checkOrders(streams, stores.readModels)),
      ...faults.filter(lagging),
      ...(await checkErased(site, shop)),
      ...openMoney(streams, site.providers.stripe),
      ...(await checkLedger(streams, site, shop)),
      ...(site.providers.stripe.isIdle() ? [] : ['Stripe has not finished']),
    ],
  };
}

/** An event about an erasure stays open while the erasure waits for a paid order to be shipped. */
function unhandledEvents(open: readonly StreamName[], streams: Verdict['streams']): string[] {
  const waiting = waitingErasures(streams);
  const left = open.filter((stream) => !waiting.has(stream));
  return left.length === 0 ? [] : [`FEED2 ${left.length} events are not handled, e.g. of ${left[0]}`];
}

async function checkOrders(streams: Verdict['streams'], readModels: ReadModels): Promise<string[]> {
  const found: string[] = [];
  for (const [stream, events] of streams) {
    const { kind, id } = parseStreamName(stream);
    if (kind === 'order') found.push(...checkOrder(stream, events, await readModels.get('order', id)));
  }
  return found;
}

async function openWork({ world }: Site, shop: SimulatedShop): Promise<string[]> {
  const { readModels } = shop.stores;
  const listed = new Set(listedFailures(shop).map(({ orderId }) => orderId));
  const now = new Date(world.time.now()).toISOString();
  const found: string[] = [];
  const late = await readModels.find(ordersToExpire(new Date(world.time.now() - LATE_MS).toISOString()));
  if (late.length > 0) found.push(`${late.length} unpaid orders have not expired`);
  for (const { id } of await readModels.findIds(ordersWithDueWork(now))) {
    const order = await readModels.get('order', id);
    const lost = order?.moneyBack?.disputes.filter(({ status }) => status === 'lost').map(({ intent }) => intent) ?? [];
    const owed = order?.owes.refunds.filter(({ intent }) => !lost.includes(intent)) ?? [];
    const isGivenUp = ({ failures = 0 }: { failures?: number }) => failures >= MAX_REFUNDS;
    if (!owed.every(isGivenUp)) found.push(`order ${id} still owes a refund`);
    if (owed.some(isGivenUp) && !listed.has(id)) found.push(`PAY6 order ${id} owes a refund that nobody is told of`);
    if (order && order.status !== 'unpaid' && order.owes.intents.length > 0)
      found.push(`order ${id} has an open intent`);
  }
  const mails = await readModels.find(mailsToSend('9999'));
  if (mails.length > 0) found.push(`${mails.length} orders have an e-mail that is neither sent nor given up`);
  return found;
}

/** Checks that no acknowledged order was lost. */
async function checkPlaced({ reference }: Site, { stores }: SimulatedShop): Promise<string[]> {
  const lost = [];
  for (const id of reference.placed.keys()) if ((await stores.log.head(streamName('order', id))) === 0) lost.push(id);
  return lost.map((id) => `LOG1 order ${id} was acknowledged and is not in the log`);
}

/**
 * Checks that the names of erased people are gone from every document. While a person has a paid order that isn't
 * shipped, the person's erasure is delayed, so their name may still occur.
 */
async function checkErased({ reference }: Site, { stores: { readModels } }: SimulatedShop): Promise<string[]> {
  const orders = await readModels.find(everyDocument('order'));
  const isOnItsWay = (name: string) => orders.some((order) => order.status === 'paid' && order.name === name);
  const others = [readModels.find(everyDocument('review')), readModels.find(userList({ sort: 'oldest' }))];
  const text = JSON.stringify([orders, ...(await Promise.all(others))]);
  return [...reference.erasedNames]
    .filter((name) => text.includes(name) && !isOnItsWay(name))
    .map((name) => `ERASE1 ${name} is erased and still named in a document`);
}
