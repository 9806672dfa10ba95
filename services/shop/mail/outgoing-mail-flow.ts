import type { UnsentReason } from '../../contracts/mail/mails.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { currentDocument, type DocumentSource } from '../../engine/projector/current-document.ts';
import type { IdentityProvider } from '../../identity/identity-provider.ts';
import { batchRequests } from '../../runtime/batch-requests.ts';
import { mailDecider, mayHaveBeenSent } from './decide-mail.ts';
import { mailOfOrder } from './mail-of-order-flow.ts';
import { withdrawnShipment } from './order-mails.ts';
import type { OutgoingMail } from './send-mail.ts';

const ACCOUNTS_AT_ONCE = 100;

export interface OutgoingMailSettings {
  readonly handler: CommandHandler;
  readonly source: DocumentSource;
  readonly identity: Pick<IdentityProvider, 'accounts'>;
  /** the shop's origin as browsers see it, e.g. `https://shop.example` */
  readonly origin: string;
}

/**
 * Returns a function that composes an e-mail from the order's current state. The function resolves with the e-mail, or
 * with the reason for not sending it. If the e-mail corrects an earlier e-mail, the function resolves with null while
 * the earlier one may still be sent. An e-mail goes only to the verified address of the account that placed the order
 * (MAIL3).
 */
export function createOutgoingMails({ handler, source, identity, origin }: OutgoingMailSettings) {
  const { hostname } = new URL(origin);
  const accountOf = batchRequests({ send: accountsOf, maxBatchSize: ACCOUNTS_AT_ONCE, maxInFlight: 1 });

  async function accountsOf(uids: readonly string[]) {
    const accounts = await identity.accounts(uids);
    return uids.map((uid) => accounts.get(uid) ?? null);
  }

  /**
   * Returns the customer's e-mail address if the account is active and the identity provider has verified that same
   * address. Otherwise returns null.
   */
  async function addressOf(userId: string): Promise<string | null> {
    const user = await currentDocument(source, 'user', userId);
    if (user === null || user.closed) return null;
    const account = await accountOf(user.uid);
    return account?.emailVerified && !account.disabled && account.email === user.email ? user.email : null;
  }

  return async (orderId: string, mail: string): Promise<OutgoingMail | UnsentReason | null> => {
    const corrects = withdrawnShipment(mail)?.corrects;
    if (corrects !== undefined) {
      const corrected = (await handler.load(mailDecider, orderId)).state[corrects];
      if (corrected?.status === 'claimed') return null;
      if (!mayHaveBeenSent(corrected)) return 'outdated';
    }
    const order = await currentDocument(source, 'order', orderId);
    const composed = order && (await mailOfOrder({ ...source, handler }, order, { mail, origin }));
    if (!composed) return 'outdated';
    const to = await addressOf(order.customer);
    if (to === null) return 'no_verified_email';
    const { subject, text, html } = composed;
    // If an e-mail is sent twice, both copies have the same Message-ID, so that an e-mail program can recognize the
    // duplicate.
    const messageId = `<${mail}.${orderId}@${hostname}>`;
    return { to, subject, text, html, messageId };
  };
}
