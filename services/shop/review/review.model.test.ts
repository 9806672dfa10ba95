import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { ErasePersonalData } from '../../contracts/decider.ts';
import { expectToFollow, type Model } from '../follow-model.fixture.ts';
import { type PostReview, reviewDecider } from './review.ts';

type ReviewCommand = PostReview | ErasePersonalData;

/** The number of idempotency keys for reviews. It's small, so a key is often reused for another text. */
const KEYS = 5;

describe('a review', () => {
  const commands: fc.Arbitrary<ReviewCommand> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .record({
          ratings: fc.constantFrom(1, 5),
          description: fc.constantFrom('Quiet.', 'Loud.'),
          username: fc.constantFrom('Rumi', 'Mou'),
        })
        .map((said): ReviewCommand => ({ type: 'PostReview', userId: 'c'.repeat(32), name: 'Tower', ...said })),
    },
    fc.constant<ReviewCommand>({ type: 'ErasePersonalData' }),
  );

  function modelOfReview(): Model<ReviewCommand, string | null> {
    /**
     * The rating, text and author's name of the current review. `first` maps each idempotency key to the first review
     * that was posted under it.
     */
    let said: string | null = null;
    let erased = false;
    const first = new Map<string, string>();
    return {
      seen: () => said,
      step(command, { cause }) {
        if (command.type === 'ErasePersonalData') {
          if (said === null) return 'not_found';
          if (erased) return [];
          erased = true;
          return ['PersonalDataErased'];
        }
        const text = `${command.ratings} ${command.description}`;
        const known = first.get(cause);
        if (known !== undefined) return known === text ? [] : 'idempotency_key_reused';
        said = `${text} ${command.username}`;
        first.set(cause, text);
        erased = false;
        return ['ReviewPosted'];
      },
    };
  }

  it('REV1 CMD3 ERASE1 a review behaves like its reference model for any sequence of commands', () => {
    expectToFollow(reviewDecider, {
      commands,
      causeOf: ({ type }, index) => (type === 'ErasePersonalData' ? 'erase' : `post:${index % KEYS}`),
      model: modelOfReview,
      seenOf(state) {
        if (state.status === 'absent') return null;
        const { ratings, description, personal } = state.review;
        return `${ratings} ${description} ${personal.username}`;
      },
    });
  });
});
