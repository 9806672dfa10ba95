import type { Created, Deleted, Updated } from '../contracts/answers.ts';
import type { Outcome } from '../engine/commands/command.ts';
import type { Page } from '../engine/read-models/read-models.ts';
import { CommandRefused } from './problem-details.ts';
import type { Answer } from './route.ts';

type Done<State> = Extract<Outcome<State>, { kind: 'done' }>;

/** The outcome of a command that was not refused. @throws CommandRefused */
export function doneOrRefused<State>(outcome: Outcome<State>): Done<State> {
  if (outcome.kind === 'refused') throw new CommandRefused(outcome.refusal);
  return outcome;
}

/** 201 for what a POST has made, now or when it was first asked (CMD3): the first reply again, its version included. */
export function created(collection: string, id: string, outcome: Done<unknown>): Answer {
  const first = outcome.prior[0] ?? outcome.events[0];
  const body: Created = { acknowledged: true, insertedId: id, version: first?.streamversion ?? outcome.version };
  return { status: 201, headers: { Location: `${collection}/${id}` }, body };
}

/** 200 for a PUT or PATCH; a repeat has modified nothing. */
export function updated(modified: boolean, version: number): Answer & { readonly body: Updated } {
  return { body: { acknowledged: true, matchedCount: 1, modifiedCount: modified ? 1 : 0, version } };
}

export function deleted(outcome: Done<unknown>): Answer {
  const body: Deleted = { acknowledged: true, deletedCount: outcome.events.length > 0 ? 1 : 0 };
  return { body };
}

/** One page of a list, with the address of the next page in `Link` (RFC 8288). */
export function pageAnswer<D, V>(page: Page<D>, view: (document: D) => V, url: string): Answer {
  const body = page.items.map(view);
  if (page.next === null) return { body };
  const next = new URL(url, 'http://shop.invalid');
  next.searchParams.set('cursor', page.next);
  return { body, headers: { Link: `<${next.pathname}${next.search}>; rel="next"` } };
}
