import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { LONGEST_SENDING_MS, MailRefused, type SendMail } from '../flows/mail/send-mail.ts';
import type { MailConfig } from '../runtime/config.ts';

const CONNECTIONS = 8;
/** Of each step; a mail takes a dozen at most. */
const STEP_TIMEOUT_MS = LONGEST_SENDING_MS / 12;

/** What nodemailer says where the server has answered that it does not take this mail. */
const refusalSchema = z.object({
  code: z.enum(['EENVELOPE', 'EMESSAGE']),
  responseCode: z.number().int(),
  command: z.string(),
});

export interface Smtp {
  readonly send: SendMail;
  close(): void;
}

/** Sends mails over SMTP, on connections that are kept for the next ones. */
export function openSmtp({ smtpUrl, from }: MailConfig): Smtp {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    // Nothing of a mail is read from files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, ...mail }) {
      try {
        await transport.sendMail({ from, to: { name: '', address: to }, ...mail, headers: AUTOMATIC });
      } catch (error) {
        const { data: refusal } = refusalSchema.safeParse(error);
        throw refusal ? new MailRefused(refusal.responseCode, isForGood(refusal)) : error;
      }
    },
    close: () => transport.close(),
  };
}

/** A refused sender is the shop's own, so the refusal says nothing about this mail and lasts until the shop is set up right. */
function isForGood({ responseCode, command }: z.infer<typeof refusalSchema>): boolean {
  return responseCode >= 550 && responseCode <= 554 && command !== 'MAIL FROM';
}

/** Keeps automatic answers, such as those of people on leave, from coming back (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };
