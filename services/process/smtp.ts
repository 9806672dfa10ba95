import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { LONGEST_SENDING_MS, MailRefused, type SendMail } from '../flows/mail/send-mail.ts';
import type { MailConfig } from '../runtime/config.ts';

const CONNECTIONS = 8;
/** The timeout of each step of sending a mail, in ms. There are at most a dozen steps. */
const STEP_TIMEOUT_MS = LONGEST_SENDING_MS / 12;

/** The error that nodemailer throws if the server refuses a mail. */
const refusalSchema = z.object({
  code: z.enum(['EENVELOPE', 'EMESSAGE']),
  responseCode: z.number().int(),
  command: z.string(),
});

export interface Smtp {
  readonly send: SendMail;
  close(): void;
}

/** Returns a sender of mails over SMTP, with a pool of connections. */
export function openSmtp({ smtpUrl, from }: MailConfig): Smtp {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    // No part of a mail may be read from a file or a URL.
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

/**
 * Returns whether a retry of this mail would be refused, too. A refused sender doesn't count. The sender is the shop
 * itself, so the refusal isn't about this mail and ends once the shop is set up correctly.
 */
function isForGood({ responseCode, command }: z.infer<typeof refusalSchema>): boolean {
  return responseCode >= 550 && responseCode <= 554 && command !== 'MAIL FROM';
}

/** Prevents automatic replies, such as out-of-office messages (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };
