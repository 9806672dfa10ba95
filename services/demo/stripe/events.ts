import { z } from 'zod';
import { invalidRequest, resourceMissing } from './errors.ts';
import type { EventObject } from './objects.ts';
import { listParams, text } from './params.ts';
import { type Call, listPage } from './simulation.ts';

export const listEventsParams = listParams.extend({
  type: text.optional(),
  types: z.array(text).min(1).max(20).optional(),
});

export function retrieveEvent(call: Call, id: string): EventObject {
  const event = call.simulation.store.get('event', id);
  if (!event) throw resourceMissing('event', id);
  return withPending(call, event);
}

export function listEvents(call: Call, params: z.output<typeof listEventsParams>) {
  const { type, types, ...page } = params;
  if (type !== undefined && types !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: type, types.');
  }
  const labels = types ?? (type === undefined ? undefined : [type]);
  const listed = listPage(call, 'event', '/v1/events', page, labels ? { labels } : {});
  return { ...listed, data: listed.data.map((event) => withPending(call, event)) };
}

/** As at Stripe: how many deliveries are still to succeed. */
function withPending(call: Call, event: EventObject): EventObject {
  return { ...event, pending_webhooks: call.simulation.deliveries.unsettledOf(event.id) };
}
