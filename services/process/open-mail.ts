import type { MailTransport } from '../flows/mail/send-mail.ts';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import type { Cleanup } from './cleanup.ts';

/**
 * Returns the mail transport of this process. Without SMTP_URL it returns undefined and logs a warning, except in a
 * demo, whose mails are only shown in its mailbox.
 */
export async function openMail(config: Config, logger: Logger, cleanup: Cleanup): Promise<MailTransport | undefined> {
  if (config.mail) {
    const { openSmtp } = await import('./smtp.ts');
    const smtp = openSmtp(config.mail);
    cleanup.add(async () => smtp.close());
    return { send: smtp.send };
  }
  // Several mails are handled at a time, so that fewer transactions record them.
  if (config.firebase.mode === 'demo') return { send: async () => {}, atOnce: 16 };
  logger.warn('SMTP_URL is not set: customers get no mail about their orders');
  return undefined;
}
