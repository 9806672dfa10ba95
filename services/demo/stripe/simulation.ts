import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import type { Clock } from '../../runtime/clock.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import { resourceMissing } from './errors.ts';
import type { Faults } from './faults.ts';
import type { EventObject, EventPayloads } from './objects.ts';
import type { ListParams } from './params.ts';
import type { Kind, Selection, Store } from './store.ts';

export interface Simulation {
  store: Store;
  deliveries: DeliveryQueue;
  faults: () => Faults;
  isSubscribed: (type: keyof EventPayloads) => boolean;
  clock: Clock;
  newId: (prefix: string) => string;
}

export interface Call {
  simulation: Simulation;
  /** made with the publishable key */
  publishable: boolean;
  requestId: string;
  idempotencyKey: string | null;
}

/** As in `created`. */
export function nowInSeconds({ simulation }: Call): number {
  return Math.floor(simulation.clock() / 1000);
}

/** Queues a delivery too if the endpoint subscribes to the type, in the call's transaction. */
export function emit<T extends keyof EventPayloads>(call: Call, type: T, object: EventPayloads[T]): void {
  const { store, deliveries, isSubscribed, newId } = call.simulation;
  const subscribed = isSubscribed(type);
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
  store.put('event', event.id, event, { created: event.created, label: type });
  if (subscribed) deliveries.add({ id: event.id, type });
}

export function listPage<K extends Exclude<Kind, 'payment_method'>>(
  call: Call,
  kind: K,
  url: string,
  params: ListParams,
  filter: Pick<Selection, 'parent' | 'labels'> = {},
) {
  const { store } = call.simulation;
  const { limit, starting_after: startingAfter, ending_before: endingBefore, created = {} } = params;
  for (const [param, id] of Object.entries({ starting_after: startingAfter, ending_before: endingBefore })) {
    if (id !== undefined && !store.get(kind, id)) throw resourceMissing(kind, id, param);
  }
  const from = [...given(created.gte), ...given(created.gt, 1)];
  const to = [...given(created.lte), ...given(created.lt, -1)];
  const { data, hasMore } = store.list(kind, {
    limit,
    ...filter,
    ...(startingAfter !== undefined && { startingAfter }),
    ...(endingBefore !== undefined && { endingBefore }),
    ...(from.length > 0 && { createdFrom: Math.max(...from) }),
    ...(to.length > 0 && { createdTo: Math.min(...to) }),
  });
  return { object: 'list' as const, url, has_more: hasMore, data };
}

function given(bound: number | undefined, shift = 0): number[] {
  return bound === undefined ? [] : [bound + shift];
}

/** The prefix, e.g. `pi_`, then the time, so that a table's index grows at its end as with Stripe's own ids, then 96 random bits. */
export function randomObjectId(prefix: string): string {
  return `${prefix}${Date.now().toString(36)}${randomBytes(12).toString('hex')}`;
}
