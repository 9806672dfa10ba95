import { accept, type Decider, NOTHING_TO_DO, unreachable } from '../../contracts/decider.ts';
import type { UnsentReason } from '../../contracts/mails.ts';

interface MailState {
  readonly status: 'claimed' | 'sent' | 'given_up';
  readonly since: string;
  readonly until: string;
  /** how often it was claimed */
  readonly claims: number;
}

/** The mails about one order, by name. */
export type MailsState = Readonly<Record<string, MailState>>;

export type MailCommand =
  /**
   * Times are in ISO 8601; `since` is the time of the event that the mail is about. A mail that corrects another one, which told of a
   * shipping, is claimed only if that one may have been sent.
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

/** Of all who claim a mail one gets it, and after its claim has ended another one: whoever's command yields an event (MAIL1). */
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
 * True if the mail of a shipping was sent, or if a process that held its claim may have sent it and ended before recording that.
 *
 * The first claim sends nothing. It only waits until the shipping can't be undone (MAIL3). The claim in which a mail is given up sends
 * nothing either. So if a mail was given up in its third claim, it may have been sent in the second one.
 */
export function mayHaveBeenSent(mail: MailState | undefined): boolean {
  if (mail === undefined) return false;
  if (mail.status === 'sent') return true;
  const waited = 1;
  const gaveUp = mail.status === 'given_up' ? 1 : 0;
  return mail.claims > waited + gaveUp;
}

function ended(state: MailsState, mail: string, status: 'sent' | 'given_up'): MailsState {
  const known = state[mail];
  return known ? { ...state, [mail]: { ...known, status } } : state;
}
