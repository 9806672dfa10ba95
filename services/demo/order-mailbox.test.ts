import { afterEach, beforeEach, expect, it } from 'vitest';
import { isoTime } from '../runtime/clock.ts';
import { type MailCommand, mailDecider } from '../shop/mail/decide-mail.ts';
import { META, newId, type PayingShop, startPayingShop } from '../shop/payment/paying-shop.fixture.ts';
import { readOrderMails } from './order-mailbox.ts';

let shop: PayingShop;
beforeEach(async () => {
  shop = await startPayingShop();
});
afterEach(() => shop.close());

async function execute(orderId: string, command: MailCommand): Promise<void> {
  const meta = { ...META, cause: newId(), time: isoTime(shop.clock()) };
  await shop.handler.execute(mailDecider, orderId, command, meta);
}

async function claim(orderId: string): Promise<void> {
  const [now, until] = [isoTime(shop.clock()), isoTime(shop.clock() + 1_000)];
  await execute(orderId, { type: 'ClaimMail', mail: 'placed', since: now, now, until });
}

it('J2 the demo mailbox shows only order e-mails that have been sent, and can be limited to one recipient', async () => {
  const [sent, waiting] = [await shop.place(), await shop.place()];
  await claim(sent);
  await execute(sent, { type: 'RecordMailSent', mail: 'placed', messageId: '<1@shop>' });
  await claim(waiting);
  await shop.project();
  const origin = 'http://127.0.0.1:8080';
  const shown = await readOrderMails(shop, { origin, email: 'rumi@micro-center.test' });
  const number = (await shop.readModels.get('order', sent))?.number;
  expect(shown).toMatchObject([
    {
      kind: 'order',
      email: 'rumi@micro-center.test',
      subject: `Order ${number}: placed`,
      link: `${origin}/dashboard/myorders/${sent}`,
    },
  ]);
  expect(shown[0]?.text).toContain('2 × Casing\nTotal: ৳2,500');
  expect(await readOrderMails(shop, { origin })).toEqual(shown);
  expect(await readOrderMails(shop, { origin, email: 'other@micro-center.test' })).toEqual([]);
});
