import type { DocumentBase } from '../document-base.ts';

/** One e-mail about an order. */
export interface MailOfOrder {
  readonly mail: string;
  readonly status: 'claimed' | 'sent' | 'given_up';
  /** how many times the e-mail has been claimed */
  readonly claims: number;
  /** time of the event that the e-mail is about */
  readonly since: string;
  /** until this time, only the process that claimed the e-mail may send it */
  readonly until: string;
  /** the time of the last change: when the e-mail was claimed, sent or given up on */
  readonly at: string;
}

/** The document that tracks the e-mails about an order. It has the same id as the order, contains no personal data and is never pushed. */
export interface MailDocument extends DocumentBase {
  readonly kind: 'mail';
  readonly mails: readonly MailOfOrder[];
  /** when the earliest open claim expires; null if every e-mail has been sent or given up on */
  readonly claimedUntil: string | null;
}
