import { createHash, randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import type { Clock } from '../../runtime/clock.ts';
import type { Database } from '../../runtime/sqlite.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { invalidRequest } from './errors.ts';
import type { Faults } from './faults.ts';
import type { Commit } from './group-commit.ts';
import type { LaterQueue, LaterWork } from './later.ts';
import type { ApiObject, EventObject } from './objects.ts';
import type { ListParams } from './params.ts';
import type { Settings } from './settings.ts';
import type { Filter, Kind, Kinds, Store } from './store.ts';

export interface Simulation {
  settings: Settings;
  database: Database;
  commit: Commit;
  store: Store;
  deliveries: DeliveryQueue;
  later: LaterQueue;
  /** POST /simulator/faults changes this object in place */
  faults: Faults;
  clock: Clock;
  newId: (prefix: string) => string;
}

export interface Call {
  simulation: Simulation;
  /** whether the call was made with the publishable key */
  publishable: boolean;
  requestId: string;
  idempotencyKey: string | null;
}

/** Returns a call that nobody made through the API: the simulator's own, or its dashboard's. */
export function ownCall(simulation: Simulation): Call {
  return { simulation, publishable: false, requestId: simulation.newId('req_'), idempotencyKey: null };
}

/** Returns the current time in seconds since the epoch, the unit of Stripe's `created` fields. */
export function nowInSeconds({ simulation }: Call): number {
  return Math.floor(simulation.clock() / 1000);
}

/**
 * Returns the object with this id. `param` names the parameter that holds the id, if any.
 * @throws 400 for an unknown id in a parameter, 404 for an unknown id in the path
 */
export function find<K extends Kind>({ simulation }: Call, kind: K, id: string, param?: string): Kinds[K] {
  const found = simulation.store.get(kind, id);
  if (found) return found;
  const name = kind === 'payment_method' ? 'PaymentMethod' : kind;
  const details = { code: 'resource_missing', param: param ?? 'id' };
  throw invalidRequest(`No such ${name}: '${id}'`, details, param ? 400 : 404);
}

/** Schedules what the simulated banks do in `delayMs`. Must run in the API call's transaction. */
export function doLater({ simulation }: Call, delayMs: number, work: LaterWork): void {
  simulation.later.add(simulation.clock() + delayMs, work);
}

/** Stores a new or changed object. If `type` is given, also emits an event of that type about the object. */
export function save<T extends ApiObject>(call: Call, object: T, type?: EventObject['type']): T {
  call.simulation.store.put(object, listedAt(call, object));
  if (type) emit(call, object, type);
  return object;
}

/**
 * Stores an event and, if the webhook endpoint subscribes to the event's type, queues its delivery. Must run in the API
 * call's transaction.
 */
export function emit(call: Call, object: ApiObject, type: EventObject['type']): void {
  const { store, deliveries, settings, newId } = call.simulation;
  const subscribed = settings.webhookEvents.includes('*') || settings.webhookEvents.includes(type);
  const event: EventObject = {
    id: newId('evt_'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: nowInSeconds(call),
    data: { object },
    livemode: false,
    pending_webhooks: subscribed ? 1 : 0,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
  };
  store.put(event, listedAt(call, event));
  if (subscribed) deliveries.add(event);
}

/** The kinds of objects that Stripe stamps before it lists them. */
const LISTED_LATE: readonly string[] = ['event', 'balance_transaction'];

/** Returns when lists contain a new object, in ms since the epoch. The delay depends only on the object's id. */
function listedAt({ simulation: { clock, faults } }: Call, { id, object }: ApiObject | EventObject): number {
  const now = clock();
  if (faults.listLagMs === 0 || !LISTED_LATE.includes(object)) return now;
  return now + (createHash('sha256').update(id).digest().readUInt32BE() % (faults.listLagMs + 1));
}

export function listPage<K extends Kind>(call: Call, kind: K, params: ListParams, filter: Filter = {}) {
  for (const param of ['starting_after', 'ending_before'] as const) {
    const id = params[param];
    if (id !== undefined) find(call, kind, id, param);
  }
  const { store, clock } = call.simulation;
  const { data, hasMore } = store.list(kind, params, { ...filter, listedBy: clock() });
  return { object: 'list' as const, url: `/v1/${kind}s`, has_more: hasMore, data };
}

/**
 * Returns the prefix, such as `pi_`, followed by the time and 96 random bits. Like Stripe's own ids, new ids sort after
 * all older ids with the same prefix, so they are inserted at the end of a table's index.
 */
export function randomObjectId(prefix: string): string {
  return `${prefix}${Date.now().toString(36)}${randomBytes(12).toString('hex')}`;
}
