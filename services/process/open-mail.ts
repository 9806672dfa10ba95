import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import type { MailTransport } from '../shop/mail/send-mail.ts';
import type { Cleanup } from './cleanup.ts';

/**
 * Returns this process's mail transport. Without SMTP_URL, a demo gets a transport that sends nothing: its e-mails
 * appear only on the demo's mailbox page. For a real shop without SMTP_URL, logs a warning and returns undefined.
 */
export async function openMail(config: Config, logger: Logger, cleanup: Cleanup): Promise<MailTransport | undefined> {
  if (config.mail) {
    const { openSmtp } = await import('./smtp.ts');
    const smtp = openSmtp(config.mail);
    cleanup.add(async () => smtp.close());
    return { send: smtp.send };
  }
  // Handles several e-mails at a time, so that they are recorded in fewer transactions.
  if (config.providers.mode === 'demo') return { send: async () => {}, atOnce: 16 };
  logger.warn('SMTP_URL is not set: customers will not get e-mails about their orders');
  return undefined;
}
