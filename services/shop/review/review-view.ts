import type { ReviewDocument } from '../../contracts/review/review-document.ts';
import type { ReviewView } from '../../contracts/review/review-view.ts';

// The fields are listed one by one, so that no internal field leaks out (LIVE3).

export function reviewView(review: ReviewDocument): ReviewView {
  return {
    _id: review.id,
    name: review.name,
    ratings: review.ratings,
    username: review.username,
    description: review.description,
    postedAt: review.createdAt,
    version: review.version,
  };
}
