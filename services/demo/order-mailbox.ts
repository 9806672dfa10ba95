import type { OrderDocument } from '../contracts/order/order-document.ts';
import type { ShopCore } from '../engine/shop-core.ts';
import { mailOfOrder } from '../shop/mail/mail-of-order-flow.ts';
import { orderList } from '../shop/order/order-documents.ts';
import type { DemoMail } from './identity/demo-mailbox.ts';

/** The mailbox shows e-mails for at most this many cancelled orders and at most this many other orders. */
const MOST = 50;

/** Returns the e-mails that a demo shop has sent about its newest orders, composed from each order's current state. */
export async function readOrderMails(
  { readModels, ...source }: Pick<ShopCore, 'readModels' | 'handler' | 'log' | 'sealing'>,
  { origin, email }: { readonly origin: string; readonly email?: string | undefined },
): Promise<DemoMail[]> {
  const newest = { sort: 'newest', q: email } as const;
  const page = { limit: MOST };
  const [listed, cancelled] = await Promise.all([
    readModels.page(orderList(newest), page),
    readModels.page(orderList({ ...newest, status: 'cancelled' }), page),
  ]);
  const orders = [...listed.items, ...cancelled.items].filter((order) => !email || order.email === email);
  const documents = await readModels.getMany(
    'mail',
    orders.map(({ id }) => id),
  );
  const byId = new Map<string, OrderDocument>(orders.map((order) => [order.id, order]));
  const shown: DemoMail[] = [];
  for (const { id, mails } of documents) {
    const order = byId.get(id);
    for (const { mail, status, at } of mails) {
      const composed = order && status === 'sent' ? await mailOfOrder(source, order, { mail, origin }) : null;
      if (!order || !composed) continue;
      const { subject, text, link } = composed;
      shown.push({ email: order.email, kind: 'order', subject, text, link, at });
    }
  }
  return shown;
}
