import { type Created, createdSchema } from '@micro-center/services/contracts/answers.ts';
import type { NewReview } from '@micro-center/services/contracts/http.ts';
import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { shopApi } from '../../api/shop-api.ts';
import { refetchUnlessLive } from '../../live/after-command.ts';
import type { LiveList } from '../../live/apply-push.ts';
import { liveList } from '../../live/follow-pushes.ts';

export const reviewsApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** All reviews, newest first. */
    listReviews: build.query<LiveList<ReviewView>, void>({
      ...liveList('review', { path: () => '/reviews', fits: () => true }),
      keepUnusedDataFor: 600,
    }),
    /** `key` makes a repeat of the same submission post once. */
    addReview: build.mutation<Created, { key: string; review: NewReview }>({
      query: ({ key, review }) => ({
        path: '/reviews',
        method: 'POST',
        body: review,
        headers: { 'idempotency-key': key },
      }),
      responseSchema: createdSchema,
      onQueryStarted: refetchUnlessLive('review'),
    }),
  }),
});

export const { useListReviewsQuery, useAddReviewMutation } = reviewsApi;
