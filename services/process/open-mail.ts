import type { MailTransport } from '../flows/mail/send-mail.ts';
import type { Config } from '../runtime/config.ts';
import type { Logger } from '../runtime/log.ts';
import type { Cleanup } from './cleanup.ts';

/** How mails leave this process; undefined where none do, which is said once. A demo's only appear in its mailbox. */
export async function openMail(config: Config, logger: Logger, cleanup: Cleanup): Promise<MailTransport | undefined> {
  if (config.mail) {
    const { openSmtp } = await import('./smtp.ts');
    const smtp = openSmtp(config.mail);
    cleanup.add(async () => smtp.close());
    return { send: smtp.send };
  }
  // Many at once, so that few transactions record them.
  if (config.firebase.mode === 'demo') return { send: async () => {}, atOnce: 16 };
  logger.warn('SMTP_URL is not set: no customer is mailed about an order');
  return undefined;
}
