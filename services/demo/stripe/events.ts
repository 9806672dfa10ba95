import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import type { EventObject } from './objects.ts';
import { flag, listParams, text } from './params.ts';
import { type Call, find, listPage, nowInSeconds } from './simulation.ts';

/** Like Stripe, the simulator lists only the events of the last 30 days. */
const LISTED_S = 30 * 86_400;

export const listEventsParams = listParams.extend({
  delivery_success: flag.optional(),
  type: text.optional(),
  types: z.array(text).min(1).max(20).optional(),
});

export function retrieveEvent(call: Call, _params: unknown, id: string): EventObject {
  return withPending(call, find(call, 'event', id));
}

export function listEvents(
  call: Call,
  { delivery_success: delivered, type, types, created, ...page }: z.output<typeof listEventsParams>,
) {
  if (type !== undefined && types !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: type, types.');
  }
  const oldest = nowInSeconds(call) - LISTED_S;
  const listed = listPage(
    call,
    'event',
    { ...page, created: { ...created, gte: Math.max(created?.gte ?? 0, oldest) } },
    { labels: type === undefined ? types : [type], delivered },
  );
  return { ...listed, data: listed.data.map((event) => withPending(call, event)) };
}

/** Returns the event with `pending_webhooks` set to the number of its deliveries that are still pending or held. */
function withPending(call: Call, event: EventObject): EventObject {
  return { ...event, pending_webhooks: call.simulation.deliveries.unsettledOf(event.id) };
}
