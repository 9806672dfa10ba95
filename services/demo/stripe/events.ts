import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import type { EventObject } from './objects.ts';
import { listParams, text } from './params.ts';
import { type Call, find, listPage } from './simulation.ts';

export const listEventsParams = listParams.extend({
  type: text.optional(),
  types: z.array(text).min(1).max(20).optional(),
});

export function retrieveEvent(call: Call, _params: unknown, id: string): EventObject {
  return withPending(call, find(call, 'event', id));
}

export function listEvents(call: Call, { type, types, ...page }: z.output<typeof listEventsParams>) {
  if (type !== undefined && types !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: type, types.');
  }
  const listed = listPage(call, 'event', page, { labels: type === undefined ? types : [type] });
  return { ...listed, data: listed.data.map((event) => withPending(call, event)) };
}

/** Returns the event with `pending_webhooks` set to the number of its deliveries that are still pending or held. */
function withPending(call: Call, event: EventObject): EventObject {
  return { ...event, pending_webhooks: call.simulation.deliveries.unsettledOf(event.id) };
}
