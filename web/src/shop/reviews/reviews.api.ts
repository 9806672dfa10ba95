import { withQuery } from '../../api/shop-api.ts';
import { liveList } from '../../live/follow.ts';

/** All reviews, newest first, cached for ten minutes. */
export const allReviews = liveList('review', '/reviews', () => true, { keepFor: 600 });

/** The reviews of the item with exactly this name, newest first. */
export const reviewsOf = (item: string) =>
  liveList('review', withQuery('/reviews', { name: item }), (review) => review.name === item);
