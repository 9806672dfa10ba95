import { declareDocuments, type Query } from '../../contracts/document-queries.ts';

export const balances = declareDocuments('balance', {
  version: 1,
  columns: { createdAt: ({ createdAt }) => createdAt, intent: ({ intent }) => intent },
  indexes: [['intent', 'createdAt'], ['createdAt']],
});

/** Finds the balance transactions from `from` until `before` (ISO 8601), oldest first. Without them, finds all. */
export const balancesBetween = (from?: string, before?: string): Query<'balance'> =>
  balances.query({ where: { createdAt: { from, before } }, by: 'createdAt' });

/** Finds all balance transactions about these payment intents, oldest first. */
export const balancesOf = (intents: readonly string[]): Query<'balance'> =>
  balances.query({ where: { intent: { in: intents } }, by: 'createdAt' });
