import type { Created, Deleted, Updated } from '../contracts/answers.ts';
import type { Outcome } from '../engine/commands/command.ts';
import type { Page } from '../engine/read-models/read-models.ts';
import { commandRefused } from './problem-details.ts';
import type { Answer } from './route.ts';

type Done<State> = Extract<Outcome<State>, { kind: 'done' }>;

/** @throws RequestRefused */
export function doneOrRefused<State>(outcome: Outcome<State>): Done<State> {
  if (outcome.kind === 'refused') throw commandRefused(outcome.refusal);
  return outcome;
}

/**
 * Returns the 201 response to a POST. If the POST is repeated, the response contains the same `version` as the first
 * time (CMD3).
 * @throws RequestRefused
 */
export function created(collection: string, id: string, outcome: Outcome<unknown>, more: object = {}): Answer {
  const { prior, events, version } = doneOrRefused(outcome);
  const body: Created = {
    acknowledged: true,
    insertedId: id,
    version: (prior[0] ?? events[0])?.streamversion ?? version,
  };
  return { status: 201, headers: { Location: `${collection}/${id}` }, body: { ...body, ...more } };
}

export function updateOf({ modified, version }: { readonly modified: boolean; readonly version: number }): Updated {
  return { acknowledged: true, matchedCount: 1, modifiedCount: modified ? 1 : 0, version };
}

/** @throws RequestRefused */
export function updated(outcome: Outcome<unknown>): Answer {
  const { events, version } = doneOrRefused(outcome);
  return { body: updateOf({ modified: events.length > 0, version }) };
}

/** @throws RequestRefused */
export function deleted(outcome: Outcome<unknown>): Answer {
  const body: Deleted = { acknowledged: true, deletedCount: doneOrRefused(outcome).events.length > 0 ? 1 : 0 };
  return { body };
}

/** Returns a `Link` header with the URL of a list's next page (RFC 8288), or no header on the last page. */
export function nextPage({ next: cursor }: Pick<Page<unknown>, 'next'>, url: string): Record<string, string> {
  if (cursor === null) return {};
  const next = new URL(url, 'http://shop.invalid');
  next.searchParams.set('cursor', cursor);
  return { Link: `<${next.pathname}${next.search}>; rel="next"` };
}
