import {
  accept,
  type Decider,
  type ErasePersonalData,
  erasePersonalData,
  NOTHING_TO_DO,
  refuse,
} from '../../contracts/decider.ts';
import type { DomainEvent, EventData } from '../../contracts/events.ts';

/** A review's stream, folded: what one customer last said of one item. */
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

/** The rule of one review: a later one replaces it (REV1). One that says the same is appended too, so its key is remembered (CMD3). */
export const reviewDecider: Decider<ReviewState, PostReview | ErasePersonalData> = {
  kind: 'review',
  initialState: { status: 'absent' },
  evolve(state, event: DomainEvent) {
    return event.type === 'ReviewPosted' ? { status: 'posted', review: event.data } : state;
  },
  decide(command, state, context) {
    if (command.type === 'ErasePersonalData') {
      return state.status === 'absent' ? refuse({ code: 'not_found' }) : erasePersonalData(context);
    }
    const { prior } = context;
    const { author, name, ratings, username, description } = command;
    const review = { name, ratings, description, person: author, personal: { username } };
    const [first] = prior;
    if (!first) return accept({ type: 'ReviewPosted', data: review });
    return sameText(first, review) ? NOTHING_TO_DO : refuse({ code: 'idempotency_key_reused' });
  },
};

/** Whether it is the same request: the writer's name may have changed since, and is not of the request. */
function sameText(first: DomainEvent, { name, ratings, description }: EventData<'ReviewPosted'>): boolean {
  if (first.type !== 'ReviewPosted') return false;
  const { data } = first;
  return data.name === name && data.ratings === ratings && data.description === description;
}
