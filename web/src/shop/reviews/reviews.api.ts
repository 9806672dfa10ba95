import { liveList } from '../../live/follow.ts';

/** All reviews, newest first; kept for ten minutes. */
export const allReviews = liveList('review', '/reviews', () => true, 600);
