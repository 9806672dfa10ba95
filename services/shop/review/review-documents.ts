import { declareDocuments, type Query } from '../../contracts/document-queries.ts';

export const reviews = declareDocuments('review', {
  version: 1,
  columns: { createdAt: ({ createdAt }) => createdAt, name: ({ name }) => name },
  indexes: [['name', 'createdAt'], ['createdAt']],
});

export interface ReviewListQuery {
  readonly name?: string | undefined;
  readonly sort: 'oldest' | 'newest';
}

/** Lists all reviews, or only those of items with exactly this `name`. */
export const reviewList = ({ name, sort }: ReviewListQuery): Query<'review'> =>
  reviews.query({ where: { name }, by: 'createdAt', descending: sort === 'newest' });
