import type { UnsentReason } from '../../contracts/mail/mails.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { type MailCommand, mailDecider } from './decide-mail.ts';

/** One process's exclusive right to send an e-mail about an order. The right ends at the time `until` (ISO 8601). */
export interface MailClaim {
  readonly orderId: string;
  readonly mail: string;
  readonly until: string;
}

type ClaimMail = Extract<MailCommand, { type: 'ClaimMail' }>;

/** `cause` makes the claim idempotent. `until` is in ms since the epoch. */
export type ClaimTerms = Pick<ClaimMail, 'since' | 'corrects'> & { readonly until: number; readonly cause: string };

export type MailRecord = ReturnType<typeof createMailRecord>;

/** Records which process may send an e-mail about an order, and whether the e-mail was sent (MAIL1). */
export function createMailRecord({ handler, clock }: { readonly handler: CommandHandler; readonly clock: Clock }) {
  /** Returns true if the command appended an event. */
  async function execute(orderId: string, command: MailCommand, cause: string): Promise<boolean> {
    const time = isoTime(clock());
    const meta: CommandMeta = { cause, actor: 'system:mail', correlationId: `mail:${orderId}:${command.mail}`, time };
    const outcome = await handler.execute(mailDecider, orderId, command, meta, { bypassLimits: true });
    return outcome.kind === 'done' && outcome.events.length > 0;
  }

  return {
    /**
     * Claims an e-mail. Returns null if the e-mail is already claimed, if it was already sent or given up on, or if it
     * corrects an e-mail that wasn't sent.
     */
    async claim(
      orderId: string,
      mail: string,
      { until: endsAt, cause, ...terms }: ClaimTerms,
    ): Promise<MailClaim | null> {
      const until = isoTime(endsAt);
      const command = { type: 'ClaimMail', mail, ...terms, now: isoTime(clock()), until } as const;
      return (await execute(orderId, command, cause)) ? { orderId, mail, until } : null;
    },
    sent: (orderId: string, mail: string, messageId: string) =>
      execute(orderId, { type: 'RecordMailSent', mail, messageId }, `sent:${mail}`),
    /** Returns false if the e-mail isn't claimed, e.g. because it was already sent or given up on. */
    givenUp: (orderId: string, mail: string, reason: UnsentReason) =>
      execute(orderId, { type: 'GiveMailUp', mail, reason }, `give-up:${mail}`),
  };
}
