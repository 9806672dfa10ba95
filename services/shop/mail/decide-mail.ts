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
   * Times in ISO 8601; `since` is the time of what the mail tells of. A mail that corrects the one of a shipping is claimed only
   * where that one may have left.
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
        if (corrects !== undefined && !mayHaveLeft(state[corrects])) return NOTHING_TO_DO;
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
 * Whether the mail of a shipping may have left. Its first claim only waits until the shipping cannot be undone (MAIL3), and whoever
 * gives it up has not sent it; but an earlier one may have, and have ended before it said so.
 */
export function mayHaveLeft(mail: MailState | undefined): boolean {
  if (mail === undefined) return false;
  return mail.status === 'sent' || mail.claims > (mail.status === 'claimed' ? 1 : 2);
}

function ended(state: MailsState, mail: string, status: 'sent' | 'given_up'): MailsState {
  const known = state[mail];
  return known ? { ...state, [mail]: { ...known, status } } : state;
}
