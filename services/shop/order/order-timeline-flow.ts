import type { RecordedEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import type { TimelineEntry } from '../../contracts/order/timeline.ts';
import { foldStream } from '../../engine/log/fold-stream.ts';
import type { ApiDependencies } from '../../http/dependencies.ts';
import { timelineEntry } from './timeline-entry.ts';

interface Step {
  readonly entry: TimelineEntry;
  /** a user id, or `system:<policy>` */
  readonly actor: string;
  /** what the admin who granted a refund noted; ERASED unless personal data was opened */
  readonly note?: string;
}

/** Returns an order's timeline as its customer sees it. The timeline doesn't show who took each step (ORD13). */
export async function orderTimeline(shop: ApiDependencies, orderId: string): Promise<TimelineEntry[]> {
  return (await stepsOf(shop, orderId)).map(({ entry }) => entry);
}

/** Returns an order's timeline as admins see it. The timeline also shows who took each step. */
export async function timelineForAdmins(
  shop: ApiDependencies,
  order: { readonly id: string; readonly customer: string },
): Promise<TimelineEntry[]> {
  const steps = await stepsOf(shop, order.id, 'whole');
  const names = await namesOf(shop, new Set(steps.map(({ actor }) => actor)));
  const byOf = ({ entry, actor }: Step) => {
    // The customer is shown as having placed the order, even if the shop itself completed an interrupted placement
    // (ORD1).
    if (actor === order.customer || entry.type === 'placed') return 'customer';
    return actor.startsWith('system:') ? 'system' : (names.get(actor) ?? 'a former admin');
  };
  return steps.map((step) => ({ ...step.entry, by: byOf(step), ...(step.note && { note: step.note }) }));
}

async function stepsOf(shop: ApiDependencies, orderId: string, opening: 'bare' | 'whole' = 'bare'): Promise<Step[]> {
  const steps: Step[] = [];
  const add = (_: null, event: RecordedEvent) => {
    const entry = timelineEntry(event);
    const note = event.type === 'RefundGranted' ? event.data.personal.note : '';
    if (entry) steps.push({ entry, actor: event.actor, ...(note && { note }) });
    return null;
  };
  await foldStream(shop, streamName('order', orderId), { state: null, version: 0 }, add, opening);
  return steps;
}

/** Maps user ids to names, or to e-mail addresses for users without a name. Closed accounts have neither and are left out. */
async function namesOf({ readModels }: ApiDependencies, actors: ReadonlySet<string>): Promise<Map<string, string>> {
  const users = await readModels.getMany(
    'user',
    [...actors].filter((actor) => !actor.startsWith('system:')),
  );
  return new Map(users.filter(({ closed }) => !closed).map(({ id, name, email }) => [id, name || email]));
}
