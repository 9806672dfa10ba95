import { isDeepStrictEqual } from 'node:util';
import type { RecordedEvent, StoredEvent } from '../contracts/events.ts';
import { documentOf, parseStreamName, type StreamName } from '../contracts/ids.ts';
import { readWhole } from '../engine/log/event-log.contract.ts';
import type { EventLog } from '../engine/log/event-log.ts';
import type { Sealing } from '../engine/log/sealing.ts';
import type { ReadModels } from '../engine/read-models/read-models.ts';
import { shopProjection } from '../shop/projection.ts';

interface CheckedShop {
  readonly log: EventLog;
  readonly sealing: Sealing;
  readonly readModels: ReadModels;
}

/** The result of checking a shop's log and documents when nothing is in flight. */
export interface Verdict {
  readonly events: number;
  /** the number of events of each type, because the checks prove nothing about a type that never occurred */
  readonly types: Readonly<Record<string, number>>;
  /** one sentence for each violated invariant; empty if the shop is sound */
  readonly faults: readonly string[];
  /** the decrypted events of each readable stream */
  readonly streams: ReadonlyMap<StreamName, readonly RecordedEvent[]>;
}

/**
 * Reads a shop's whole log and checks that every event is readable, that stream versions have no gaps, and that stock
 * is conserved (ORD1, ORD2, ORD5). No two orders may share a number (ORD8). A paid order must have been paid once and
 * in full (PAY2), and no order may be shipped twice without a withdrawal in between (ORD4, ORD10). Only `admins` (user
 * ids) may ever have been granted the admin role. Every document must equal a fresh fold of its stream (PRJ1).
 */
export async function checkInvariants(
  { log, sealing, readModels }: CheckedShop,
  admins: readonly string[],
): Promise<Verdict> {
  const stored = await readWhole(log);
  const faults: string[] = [];
  const streams = new Map<StreamName, RecordedEvent[]>();
  for (const [stream, events] of byStream(stored)) {
    const opened = await openStream(stream, events, sealing, faults);
    if (opened) streams.set(stream, opened);
  }
  checkStock(streams, faults);
  checkNumbers(streams, faults);
  checkPayments(streams, faults);
  checkShipments(streams, faults);
  checkGrants(streams, admins, faults);
  await judgeDocuments(streams, readModels, faults);
  const types: Record<string, number> = {};
  for (const { type } of stored) types[type] = (types[type] ?? 0) + 1;
  return { events: stored.length, types, faults, streams };
}

function byStream(events: readonly StoredEvent[]): Map<StreamName, StoredEvent[]> {
  const streams = new Map<StreamName, StoredEvent[]>();
  for (const event of events) streams.set(event.subject, [...(streams.get(event.subject) ?? []), event]);
  return streams;
}

async function openStream(
  stream: StreamName,
  events: readonly StoredEvent[],
  sealing: Sealing,
  faults: string[],
): Promise<RecordedEvent[] | null> {
  const hole = events.findIndex(({ streamversion }, index) => streamversion !== index + 1);
  if (hole !== -1) faults.push(`${stream} is missing version ${hole + 1}`);
  try {
    return await sealing.openAll(events);
  } catch (error) {
    faults.push(`${stream} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;

/**
 * Checks that no product was oversold, that each stock reduction belongs to a placed order or was returned, and that
 * the stock of each cancelled order was returned exactly once.
 */
function checkStock(streams: Streams, faults: string[]): void {
  for (const [stream, events] of streams) {
    if (parseStreamName(stream).kind !== 'product') continue;
    let stock = 0;
    const taken = new Map<string, number>();
    for (const event of events) {
      if (event.type === 'ProductAdded') stock += event.data.quantity;
      if (event.type === 'StockAdjusted') stock += event.data.by;
      if (event.type === 'StockReduced') {
        const { orderId, quantity } = event.data.draft;
        if (taken.has(orderId)) faults.push(`${stream} was reduced twice for order ${orderId}`);
        taken.set(orderId, quantity);
        stock -= quantity;
      }
      if (event.type === 'StockReturned') {
        const { orderId, quantity } = event.data;
        if (taken.get(orderId) !== quantity) faults.push(`${stream} took back stock not held by order ${orderId}`);
        taken.delete(orderId);
        stock += quantity;
      }
      if (stock < 0) faults.push(`${stream} was oversold at version ${event.streamversion}`);
    }
    for (const orderId of taken.keys()) {
      const order = streams.get(`order-${orderId}`);
      if (!order) faults.push(`${stream} reduced stock for order ${orderId}, which was never placed`);
      else if (order.some(({ type }) => type === 'OrderCancelled')) {
        faults.push(`${stream} never got back the stock of the cancelled order ${orderId}`);
      }
    }
  }
}

/**
 * Checks that no two orders share a number, and that no block of numbers is reserved twice. This includes orders that
 * took stock but were never placed, because an order gets its number when it takes its stock.
 */
function checkNumbers(streams: Streams, faults: string[]): void {
  const orderOf = new Map<string, string>();
  let reserved = 0;
  for (const event of [...streams.values()].flat()) {
    if (event.type === 'StockReduced' || event.type === 'OrderPlaced') {
      const { number, orderId } = event.data.draft;
      const other = orderOf.get(number) ?? orderId;
      if (other !== orderId) faults.push(`${number} is the number of orders ${other} and ${orderId}`);
      orderOf.set(number, orderId);
    }
    if (event.type === 'OrderNumbersReserved') {
      const { first, count } = event.data;
      if (first <= reserved) faults.push(`number ${first} was reserved twice`);
      reserved = first + count - 1;
    }
  }
}

function checkPayments(streams: Streams, faults: string[]): void {
  for (const [stream, events] of streams) {
    const [placed] = events;
    if (placed?.type !== 'OrderPlaced') continue;
    const paid = events.filter((event) => event.type === 'PaymentRecorded');
    if (paid.length > 1) faults.push(`${stream} was paid ${paid.length} times`);
    if (paid.some(({ data }) => data.amount !== placed.data.draft.total * 100)) {
      faults.push(`${stream} was paid an amount that differs from its total`);
    }
    if (paid.length === 0 && events.some(({ type }) => type === 'OrderShipped')) {
      faults.push(`${stream} was shipped unpaid`);
    }
  }
}

function checkShipments(streams: Streams, faults: string[]): void {
  for (const [stream, events] of streams) {
    let [shipped, shipments] = [false, 0];
    for (const event of events) {
      if (event.type === 'OrderShipped') {
        if (shipped) faults.push(`${stream} was shipped twice`);
        [shipped, shipments] = [true, shipments + 1];
      }
      if (event.type === 'ShipmentWithdrawn') {
        if (!shipped || event.data.shipment !== shipments) faults.push(`${stream} withdrew a shipment not in progress`);
        shipped = false;
      }
    }
  }
}

function checkGrants(streams: Streams, admins: readonly string[], faults: string[]): void {
  for (const [stream, events] of streams) {
    const granted = events.some(({ type }) => type === 'AdminGranted');
    if (granted && !admins.includes(parseStreamName(stream).id)) faults.push(`${stream} was made an admin`);
  }
}

async function judgeDocuments(streams: Streams, readModels: ReadModels, faults: string[]): Promise<void> {
  for (const [stream, events] of streams) {
    const document = documentOf(stream);
    if (document === null) continue;
    const { kind, id } = document;
    const folded = events.reduce<ReturnType<typeof shopProjection.projectEvent>>(
      (document, event) => shopProjection.projectEvent(kind, document as never, event),
      null,
    );
    if (!isDeepStrictEqual(await readModels.get(kind, id), folded)) {
      faults.push(`the document of ${stream} differs from a fresh fold of its stream`);
    }
  }
}
