import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName, streamName } from '../../contracts/ids.ts';
import { ABANDONED_AFTER_MS } from '../../shop/order/take-hold-flow.ts';
import { isAllGivenBack, isLost, moneyOf } from './order-money.ts';

const MOVES: readonly string[] = ['PaymentRecorded', 'OrderShipped', 'ShipmentWithdrawn', 'OrderCancelled'];
/** An event has the time at which its request arrived. The event may be appended this much later, in ms. */
const LONGEST_REQUEST_MS = 30_000;

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;

/** Returns one sentence for each broken rule about roles, accounts and the number of unpaid orders. */
export function checkPeople(
  streams: Streams,
  {
    maxUnpaid,
    exactClocks,
    durableAt,
  }: { maxUnpaid: number; exactClocks: boolean; durableAt: (event: RecordedEvent) => number },
): string[] {
  const found: string[] = [];
  let [granted, admins] = [0, 0];
  for (const [stream, events] of streams) {
    if (parseStreamName(stream).kind !== 'user') continue;
    let isAdmin = false;
    for (const [index, event] of events.entries()) {
      const { type, cause } = event;
      if (type === 'AdminGranted') {
        const isRegistration = events[index - 1]?.type === 'UserRegistered';
        if (cause.startsWith('sign-in:') && !isRegistration)
          found.push(`AUTH5 ${stream} got a role by signing in again`);
        [isAdmin, granted] = [true, granted + 1];
      }
      if (type === 'AdminRevoked' || type === 'AccountClosed') isAdmin = false;
    }
    if (isAdmin) admins += 1;
  }
  if (granted > 0 && admins === 0 && !lastWasTakenOver(streams)) found.push('AUTH2 no admin is left');
  if (exactClocks) found.push(...checkUnpaid(streams, maxUnpaid, durableAt));
  return found;
}

/**
 * Returns whether the account of the last admin on the list of admins was taken over. Only a takeover may leave no
 * admin. An earlier revocation may still complete after the takeover.
 */
function lastWasTakenOver(streams: Streams): boolean {
  const delisted = [...streams.values()].flat().findLast(({ type }) => type === 'AdminDelisted');
  const last = delisted?.type === 'AdminDelisted' ? streams.get(streamName('user', delisted.data.person)) : undefined;
  return last?.some((event) => event.type === 'AccountClosed' && event.data.reason === 'taken_over') ?? false;
}

/**
 * Checks that no customer ever had more unpaid orders than allowed (ORD7). An order takes a slot from its placement
 * until it is paid or cancelled, or until its hold ends.
 */
function checkUnpaid(streams: Streams, maxUnpaid: number, durableAt: (event: RecordedEvent) => number): string[] {
  const steps = new Map<string, { at: number; by: 1 | -1 }[]>();
  for (const events of streams.values()) {
    const [placed] = events;
    if (placed?.type !== 'OrderPlaced') continue;
    const { person, draft } = placed.data;
    // The shop has freed this order's slot, because its placement wasn't finished in time.
    if (durableAt(placed) - Date.parse(draft.placedAt) > ABANDONED_AFTER_MS) continue;
    const ended = events.find(({ type }) => type === 'PaymentRecorded' || type === 'OrderCancelled');
    const until =
      Math.min(Date.parse(draft.expiresAt), Date.parse(ended?.time ?? draft.expiresAt)) - LONGEST_REQUEST_MS;
    const slots = steps.get(person) ?? [];
    steps.set(person, slots);
    slots.push({ at: Date.parse(draft.placedAt), by: 1 }, { at: until, by: -1 });
  }
  return [...steps].flatMap(([person, slots]) => {
    let [taken, most] = [0, 0];
    for (const { by } of slots.sort((one, other) => one.at - other.at || one.by - other.by)) {
      taken += by;
      most = Math.max(most, taken);
    }
    return most > maxUnpaid ? [`ORD7 customer ${person} had ${most} unpaid orders`] : [];
  });
}

/** Returns one sentence for each erasure that isn't complete although nothing keeps it from being completed (ERASE1). */
export function openErasures(streams: Streams): string[] {
  const waiting = waitingErasures(streams);
  return [...streams].flatMap(([stream, events]) => {
    if (parseStreamName(stream).kind !== 'user' || waiting.has(stream)) return [];
    const closed = events.some((event) => event.type === 'AccountClosed' && event.data.reason === 'erased');
    const isOpen = closed && !events.some(({ type }) => type === 'ErasureCompleted');
    return isOpen ? [`ERASE1 the erasure of ${stream} is not completed`] : [];
  });
}

/**
 * Returns the streams of the people who can't be erased yet, because they have paid orders that aren't shipped. An order
 * whose money went back isn't shipped any more.
 */
export function waitingErasures(streams: Streams): ReadonlySet<StreamName> {
  const waiting = new Set<StreamName>();
  for (const events of streams.values()) {
    const [placed] = events;
    if (placed?.type !== 'OrderPlaced') continue;
    const last = events.findLast(({ type }) => MOVES.includes(type));
    const money = moneyOf(events);
    const isOver = isAllGivenBack(money) || isLost(money);
    if (last && (last.type === 'PaymentRecorded' || last.type === 'ShipmentWithdrawn') && !isOver)
      waiting.add(streamName('user', placed.data.person));
  }
  return waiting;
}
