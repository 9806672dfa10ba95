import { accept, type Decider, NOTHING_TO_DO, unreachable } from '../../contracts/decider.ts';
import type { UnsentReason } from '../../contracts/mail/mails.ts';

interface MailState {
  readonly status: 'claimed' | 'sent' | 'given_up';
  /** the time of the event that the e-mail is about, in ISO 8601 */
  readonly since: string;
  /** when the newest claim expires, in ISO 8601 */
  readonly until: string;
  /**
   * The number of claims so far. A second claim means that the first one expired before the e-mail's outcome was
   * recorded.
   */
  readonly claims: number;
}

/** The e-mails about one order, by name. */
export type MailsState = Readonly<Record<string, MailState>>;

export type MailCommand =
  /**
   * `since` is the time of the event that the e-mail is about, and `until` is when the claim expires. `corrects` is set
   * only if the e-mail tells the customer that a shipment has been withdrawn. In that case, `corrects` names the
   * earlier e-mail about that shipment, and the new e-mail is claimed only if the earlier one may have been sent.
   */
  | {
      readonly type: 'ClaimMail';
      readonly mail: string;
      readonly since: string;
      readonly now: string;
      readonly until: string;
      readonly corrects?: string;
    }
  | { readonly type: 'RecordMailSent'; readonly mail: string; readonly messageId: string }
  | { readonly type: 'GiveMailUp'; readonly mail: string; readonly reason: UnsentReason };

/**
 * A claim is a lease on one e-mail. If several processes try to claim the same e-mail, only the process whose command
 * yields an event gets the claim. Once the claim has expired, the e-mail can be claimed again (MAIL1).
 */
export const mailDecider: Decider<MailsState, MailCommand> = {
  kind: 'mail',
  initialState: {},
  evolve(state, event) {
    switch (event.type) {
      case 'MailClaimed': {
        const { mail, since, until } = event.data;
        const claims = (state[mail]?.claims ?? 0) + 1;
        return { ...state, [mail]: { status: 'claimed', since, until, claims } };
      }
      case 'MailSent':
        return ended(state, event.data.mail, 'sent');
      case 'MailGivenUp':
        return ended(state, event.data.mail, 'given_up');
      default:
        return state;
    }
  },
  decide(command, state, { prior }) {
    const { mail } = command;
    const known = state[mail];
    switch (command.type) {
      case 'ClaimMail': {
        const { since, now, until, corrects } = command;
        const taken = known && (known.status !== 'claimed' || known.until > now);
        if (taken || prior.length > 0) return NOTHING_TO_DO;
        if (corrects !== undefined && !mayHaveBeenSent(state[corrects])) return NOTHING_TO_DO;
        return accept({ type: 'MailClaimed', data: { mail, since: known?.since ?? since, until } });
      }
      case 'RecordMailSent':
        if (known?.status !== 'claimed') return NOTHING_TO_DO;
        return accept({ type: 'MailSent', data: { mail, messageId: command.messageId } });
      case 'GiveMailUp':
        if (known?.status !== 'claimed') return NOTHING_TO_DO;
        return accept({ type: 'MailGivenUp', data: { mail, reason: command.reason } });
      default:
        return unreachable(command);
    }
  },
};

/**
 * Returns true if the e-mail about a shipment was sent, or if a process may have sent it and exited before recording
 * that.
 *
 * The order mailer never sends the e-mail during the first claim: it only waits for 30 s, until the shipment can't be
 * undone (MAIL3). It also doesn't send the e-mail during the claim in which it gives up on it. During any other claim,
 * it may have sent the e-mail.
 *
 * The result by the number of claims and the status:
 *
 * | claims | claimed | given up |
 * | --- | --- | --- |
 * | 1 | no: still waiting | no |
 * | 2 | maybe, in claim 2 | no: given up in claim 2 |
 * | 3 | maybe, in claim 2 or 3 | maybe, in claim 2 |
 *
 * There is one exception. If the reason is `too_late`, the mailer gives up only after the last claim has expired, so it
 * may have sent the e-mail during that last claim. This function ignores the exception, because by then it's too late
 * for a correction too.
 */
export function mayHaveBeenSent(mail: MailState | undefined): boolean {
  if (mail === undefined) return false;
  const claimsThatOnlyWait = 1;
  const claimsThatOnlyGiveUp = 1;
  switch (mail.status) {
    case 'sent':
      return true;
    case 'claimed':
      return mail.claims > claimsThatOnlyWait;
    case 'given_up':
      return mail.claims > claimsThatOnlyWait + claimsThatOnlyGiveUp;
  }
}

function ended(state: MailsState, mail: string, status: 'sent' | 'given_up'): MailsState {
  const known = state[mail];
  return known ? { ...state, [mail]: { ...known, status } } : state;
}
