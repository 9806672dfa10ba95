import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { MailConfig } from '../runtime/config.ts';
import { LONGEST_SENDING_MS, MailRefused, type SendMail } from '../shop/mail/send-mail.ts';

const CONNECTIONS = 8;
/** The timeout for each step of sending an e-mail, in ms. Sending an e-mail takes at most a dozen steps. */
const STEP_TIMEOUT_MS = LONGEST_SENDING_MS / 12;

/** The error that nodemailer throws if the server refuses an e-mail. */
const refusalSchema = z.object({
  code: z.enum(['EENVELOPE', 'EMESSAGE']),
  responseCode: z.number().int(),
  command: z.string(),
});

export interface Smtp {
  readonly send: SendMail;
  close(): void;
}

/** Returns a mail sender that uses a pool of SMTP connections. */
export function openSmtp({ smtpUrl, from }: MailConfig): Smtp {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    // Prevents nodemailer from reading parts of an e-mail from files or URLs.
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
 * Returns whether the server would refuse this e-mail again on every retry. Returns false for a refused sender address,
 * because that address is the shop's own. Once the address is configured correctly, the e-mail can be sent.
 */
function isForGood({ responseCode, command }: z.infer<typeof refusalSchema>): boolean {
  return responseCode >= 550 && responseCode <= 554 && command !== 'MAIL FROM';
}

/** Prevents automatic replies, such as out-of-office messages (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };
