import { expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { reviewDecider } from './review.ts';

const post = {
  type: 'PostReview' as const,
  userId: 'c'.repeat(32),
  name: 'Tower One',
  ratings: 4.6,
  username: 'Rahim',
  description: 'Quiet and cool.',
};
const posted: DomainEvent = {
  type: 'ReviewPosted',
  data: {
    name: 'Tower One',
    ratings: 4.6,
    description: 'Quiet and cool.',
    person: post.userId,
    personal: { username: 'Rahim' },
  },
};

it('ERASE1 erasing a review’s author is recorded only once, and is refused if the review doesn’t exist', () => {
  const { given } = decisionsOf(reviewDecider);
  const erased: DomainEvent = { type: 'PersonalDataErased', data: {} };
  expect(given(posted).when({ type: 'ErasePersonalData' })).toEqual({ events: [erased] });
  expect(given(posted, erased).when({ type: 'ErasePersonalData' }, [erased])).toEqual({ events: [] });
  expect(given().when({ type: 'ErasePersonalData' })).toEqual({ refused: { code: 'not_found' } });
});

it('REV1 C21 CMD3 a later review replaces an earlier one, repeating a request changes nothing, and reusing its idempotency key with a different rating is refused', () => {
  const { given } = decisionsOf(reviewDecider);
  expect(given().when(post)).toEqual({ events: [posted] });
  expect(given(posted).when(post)).toEqual({ events: [posted] });
  expect(given(posted).when({ ...post, username: 'Karim' }, [posted])).toEqual({ events: [] });
  const worse = { ...posted, data: { ...posted.data, ratings: 1 } };
  expect(given(posted).when({ ...post, ratings: 1 })).toEqual({ events: [worse] });
  expect(given(posted).when({ ...post, ratings: 1 }, [posted])).toEqual({
    refused: { code: 'idempotency_key_reused' },
  });
});
