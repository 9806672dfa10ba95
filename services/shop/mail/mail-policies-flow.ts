import { parseStreamName } from '../../contracts/ids.ts';
import { isMissed } from '../../contracts/mail/mails.ts';
import type { Policies } from '../../engine/projector/policies.ts';
import { orderDecider } from '../order/decide-order.ts';

export const mailPolicies: Policies = {
  /**
   * Records on the order's stream that the shop didn't send an e-mail that the customer should have received. This
   * record is itself a `MailGivenUp` event, so such events of order streams are ignored.
   */
  async MailGivenUp({ handler, metaOf }, event) {
    const { kind, id: orderId } = parseStreamName(event.subject);
    const { mail, reason } = event.data;
    if (kind !== 'mail' || !isMissed(reason)) return true;
    const meta = { ...metaOf(event, 'note-unsent-mail'), cause: `unsent:${mail}` };
    const command = { type: 'NoteUnsentMail', mail, reason } as const;
    await handler.execute(orderDecider, orderId, command, meta, { bypassLimits: true });
    return true;
  },
};
