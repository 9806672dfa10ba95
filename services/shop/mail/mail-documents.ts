import { declareDocuments, type Query } from '../../contracts/document-queries.ts';

export const mails = declareDocuments('mail', {
  version: 1,
  columns: { claimedUntil: ({ claimedUntil }) => claimedUntil },
  indexes: [['claimedUntil']],
});

/**
 * Finds the mail documents in which the claim on an unsent e-mail expired at or before `time` (ISO 8601), earliest
 * expiry first. E-mails that were given up on are ignored.
 */
export const mailsToSend = (time: string): Query<'mail'> =>
  mails.query({ where: { claimedUntil: { upTo: time } }, by: 'claimedUntil' });
