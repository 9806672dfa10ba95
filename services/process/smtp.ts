import { createTransport } from 'nodemailer';
import { z } from 'zod';
import { LONGEST_SENDING_MS, MailRefused, type SendMail } from '../flows/mail/send-mail.ts';
import type { MailConfig } from '../runtime/config.ts';

const CONNECTIONS = 8;
/** Of each step; a mail takes a dozen at most. */
const STEP_TIMEOUT_MS = LONGEST_SENDING_MS / 12;

/** What nodemailer says where the server has answered that it does not take this mail. */
const refusalSchema = z.object({ code: z.enum(['EENVELOPE', 'EMESSAGE']), responseCode: z.number().int() });

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
        const refused = refusalSchema.safeParse(error);
        if (refused.success) throw new MailRefused(`The mail server answered ${refused.data.responseCode}.`);
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

/** Keeps automatic answers, such as those of people on leave, from coming back (RFC 3834). */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };
