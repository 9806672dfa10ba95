import { z } from 'zod';
import { invalidRequest } from './errors.ts';
import type { EventObject } from './objects.ts';
import { flag, listParams, text } from './params.ts';
import { type Call, find, listPage, nowInSeconds } from './simulation.ts';

export const listEventsParams = listParams.extend({
  delivery_success: flag.optional(),
  type: text.optional(),
  types: z.array(text).min(1).max(20).optional(),
});

export function retrieveEvent(call: Call, _params: unknown, id: string): EventObject {
  return withPending(call, findKept(call, id));
}

export function listEvents(
  call: Call,
  { delivery_success: delivered, type, types, created, ...page }: z.output<typeof listEventsParams>,
) {
  if (type !== undefined && types !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: type, types.');
  }
  for (const param of ['starting_after', 'ending_before'] as const) {
    const id = page[param];
    if (id !== undefined) findKept(call, id, param);
  }
  const listed = listPage(
    call,
    'event',
    { ...page, created: { ...created, gte: Math.max(created?.gte ?? 0, oldestKept(call)) } },
    { labels: type === undefined ? types : [type], delivered },
  );
  return { ...listed, data: listed.data.map((event) => withPending(call, event)) };
}

/**
 * Returns the event with this id. `param` names the parameter that holds the id, if any.
 * @throws StripeFault if the event is unknown, or too old
 */
function findKept(call: Call, id: string, param?: string): EventObject {
  const event = find(call, 'event', id, param);
  if (event.created >= oldestKept(call)) return event;
  const message = `The event '${id}' is no longer available because it's aged out of our retention policy.`;
  throw invalidRequest(message, param ? { param } : {}, param ? 400 : 404);
}

const oldestKept = (call: Call) => nowInSeconds(call) - call.simulation.faults.eventsKeptMs / 1_000;

/** Returns the event with `pending_webhooks` set to the number of its deliveries that are still pending or held. */
function withPending(call: Call, event: EventObject): EventObject {
  return { ...event, pending_webhooks: call.simulation.deliveries.unsettledOf(event.id) };
}
