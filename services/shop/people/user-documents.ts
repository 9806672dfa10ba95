import { declareDocuments, type Query } from '../../contracts/document-queries.ts';
import { searchTexts } from '../../contracts/search-text.ts';

export const users = declareDocuments('user', {
  version: 1,
  columns: {
    createdAt: ({ createdAt }) => createdAt,
    open: ({ closed }) => closed !== true,
    admin: ({ role }) => role === 'admin',
  },
  text: searchTexts.user,
  indexes: [['open', 'createdAt'], ['admin']],
});

export interface UserListQuery {
  readonly q?: string | undefined;
  readonly sort: 'oldest' | 'newest';
}

/**
 * Lists every user who has ever signed in and whose account isn't closed. Each word of `q` must occur in the user's
 * e-mail address or name.
 */
export const userList = ({ q, sort }: UserListQuery): Query<'user'> =>
  users.query({ where: { open: true }, text: q, by: 'createdAt', descending: sort === 'newest' });

/** Finds all admins, according to the events projected so far. */
export const allAdmins: Query<'user'> = users.query({ where: { admin: true } });
