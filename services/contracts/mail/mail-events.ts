import { z } from 'zod';
import { text } from '../event-fields.ts';
import { mailSchema, UNSENT_REASONS } from './mails.ts';

/** The events of an order's e-mails. */
export const mailEvents = {
  /**
   * Appended to an order's mail stream. Only the process that appended this event may send the e-mail before `until`.
   * `since` is the time of the event that the e-mail is about.
   */
  MailClaimed: z.object({ mail: mailSchema, since: z.iso.datetime(), until: z.iso.datetime() }),
  MailSent: z.object({ mail: mailSchema, messageId: text }),
  /**
   * appended to the order's mail stream when the shop gives up on an e-mail, and also to the order's own stream if the
   * customer should have received the e-mail
   */
  MailGivenUp: z.object({ mail: mailSchema, reason: z.enum(UNSENT_REASONS) }),
} as const;
