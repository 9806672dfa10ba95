import { accept, type Decider, type ErasePersonalData, NOTHING_TO_DO, refuse } from '../../contracts/decider.ts';
import { type DomainEvent, ERASED, type EventData, type RecordedEvent } from '../../contracts/events.ts';
import type { ReviewDocument } from '../../contracts/review/review-document.ts';

/** One customer's newest review of one item. */
export type ReviewState =
  | { readonly status: 'absent' }
  /** `erased` is true once the author's name has been erased */
  | { readonly status: 'posted'; readonly review: EventData<'ReviewPosted'>; readonly erased: boolean };

export interface PostReview {
  readonly type: 'PostReview';
  readonly userId: string;
  readonly name: string;
  readonly ratings: number;
  readonly username: string;
  readonly description: string;
}

/**
 * A later review replaces the earlier one (REV1). Even a review with unchanged text yields an event, because the event
 * records the request's idempotency key (CMD3).
 */
export const reviewDecider: Decider<ReviewState, PostReview | ErasePersonalData> = {
  kind: 'review',
  initialState: { status: 'absent' },
  evolve(state, event: DomainEvent) {
    if (event.type === 'ReviewPosted') return { status: 'posted', review: event.data, erased: false };
    return state.status === 'posted' && event.type === 'PersonalDataErased' ? { ...state, erased: true } : state;
  },
  decide(command, state, { prior }) {
    if (command.type === 'ErasePersonalData') {
      if (state.status === 'absent') return refuse({ code: 'not_found' });
      return state.erased ? NOTHING_TO_DO : accept({ type: 'PersonalDataErased', data: {} });
    }
    const { userId, name, ratings, username, description } = command;
    const review = { name, ratings, description, person: userId, personal: { username } };
    const [first] = prior;
    if (!first) return accept({ type: 'ReviewPosted', data: review });
    return sameText(first, review) ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
  },
};

/**
 * Returns whether a request repeats the review in `first`. Ignores the username, which isn't part of the request and
 * may have changed between requests.
 */
function sameText(first: DomainEvent, { name, ratings, description }: EventData<'ReviewPosted'>): boolean {
  if (first.type !== 'ReviewPosted') return false;
  const { data } = first;
  return data.name === name && data.ratings === ratings && data.description === description;
}

/** Folds one event into a review's document (PRJ2). */
export function projectReview(before: ReviewDocument | null, event: RecordedEvent): ReviewDocument | null {
  if (event.type !== 'ReviewPosted') {
    const changes = event.type === 'PersonalDataErased' ? { username: ERASED } : {};
    return before && { ...before, ...changes, version: event.streamversion };
  }
  const { person: userId, personal, name, ratings, description } = event.data;
  return {
    kind: 'review',
    id: event.subject.slice('review-'.length),
    version: event.streamversion,
    // A review that replaces an earlier one keeps the earlier review's place in lists (LIST1).
    createdAt: before?.createdAt ?? event.time,
    author: userId,
    name,
    ratings,
    username: personal.username,
    description,
  };
}
