import { type Created, createdSchema } from '@micro-center/services/contracts/answers.ts';
import type { NewReview } from '@micro-center/services/contracts/review/review-requests.ts';
import { postOnce } from '../../api/idempotency-key.ts';
import { shopApi } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';

const addReviewApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Posts a review. A retry with the same `key` doesn't post it again. */
    addReview: build.mutation<Created, { key: string; review: NewReview }>({
      query: ({ key, review }) => postOnce('/reviews', key, review),
      responseSchema: createdSchema,
      onQueryStarted: refetchUnlessLive('review'),
    }),
  }),
});

export const { useAddReviewMutation } = addReviewApi;
