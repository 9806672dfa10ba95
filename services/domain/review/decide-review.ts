import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent, EventData } from '../../contracts/events.ts';
import { accept, type Decider, NOTHING_TO_DO, refuse } from '../decider.ts';

/** A review's stream, folded: it is posted once and never changes. */
export type ReviewState =
  | { readonly status: 'absent' }
  | { readonly status: 'posted'; readonly review: EventData<'ReviewPosted'> };

export interface PostReview {
  readonly type: 'PostReview';
  readonly author: string;
  readonly name: string;
  readonly ratings: number;
  readonly username: string;
  readonly description: string;
}

/** The rule of one review: posted once; the same again changes nothing (CMD3). */
export const reviewDecider: Decider<ReviewState, PostReview> = {
  kind: 'review',
  initialState: { status: 'absent' },
  evolve(state, event: DomainEvent) {
    return event.type === 'ReviewPosted' ? { status: 'posted', review: event.data } : state;
  },
  decide({ author, name, ratings, username, description }, state) {
    const review = { name, ratings, description, person: author, personal: { username } };
    if (state.status === 'absent') return accept({ type: 'ReviewPosted', data: review });
    return isDeepStrictEqual(state.review, review) ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
  },
};
