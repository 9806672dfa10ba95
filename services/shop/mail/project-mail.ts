import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { MailDocument, MailOfOrder } from '../../contracts/mail/mail-document.ts';

/** Folds one event into the document that lists an order's e-mails (PRJ2). */
export function projectMail(before: MailDocument | null, event: RecordedEvent): MailDocument | null {
  if (before === null && event.type !== 'MailClaimed') return null;
  const mails = changed(before?.mails ?? [], event);
  const open = mails.filter(({ status }) => status === 'claimed').map(({ until }) => until);
  return {
    kind: 'mail',
    id: before?.id ?? parseStreamName(event.subject).id,
    version: event.streamversion,
    createdAt: before?.createdAt ?? event.time,
    mails,
    claimedUntil: open.sort()[0] ?? null,
  };
}

function changed(mails: readonly MailOfOrder[], event: RecordedEvent): readonly MailOfOrder[] {
  if (event.type !== 'MailClaimed' && event.type !== 'MailSent' && event.type !== 'MailGivenUp') return mails;
  const { mail } = event.data;
  const known = mails.find((one) => one.mail === mail);
  const others = mails.filter((one) => one !== known);
  if (event.type === 'MailClaimed') {
    const { since, until } = event.data;
    return [...others, { mail, status: 'claimed', claims: (known?.claims ?? 0) + 1, since, until, at: event.time }];
  }
  const status = event.type === 'MailSent' ? 'sent' : 'given_up';
  return known ? [...others, { ...known, status, at: event.time }] : mails;
}
