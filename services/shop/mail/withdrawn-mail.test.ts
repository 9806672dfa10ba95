import { beforeEach, describe, expect, it } from 'vitest';
import type { WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import { isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../order/decide-order.ts';
import { META, newId } from '../payment/paying-shop.fixture.ts';
import {
  dying,
  follow,
  freshShop,
  MINUTE,
  mails,
  newMailer,
  now,
  run,
  server,
  ship,
  shop,
  smtp,
} from './mailing-shop.fixture.ts';
import type { OrderMailer } from './order-mailer-flow.ts';

freshShop();

describe('e-mails about orders', () => {
  describe('e-mails about withdrawn shipments', () => {
    let orderId: string;
    let mailer: OrderMailer;
    beforeEach(async () => {
      orderId = await shop.place();
      mailer = newMailer();
      await ship(orderId);
      await follow(orderId, mailer);
      await run(mailer);
    });

    async function withdraw(reason: WithdrawalReason | null, shipment = 1, time = now()): Promise<void> {
      const meta = { ...META, cause: newId(), time };
      const command = { type: 'WithdrawShipment', shipment, reason, now: meta.time } as const;
      expect(await shop.handler.execute(orderDecider, orderId, command, meta)).toMatchObject({ kind: 'done' });
    }

    async function shipAgain(): Promise<void> {
      const meta = { ...META, cause: newId(), time: now() };
      await shop.handler.execute(orderDecider, orderId, { type: 'ShipOrder', now: meta.time }, meta);
    }

    async function runAfter(milliseconds: number): Promise<void> {
      shop.advance(milliseconds);
      await run(mailer);
    }

    /** Returns the names of the e-mails about shipments that the server has received, in order of arrival. */
    const left = () =>
      server.received
        .map(({ messageId }) => messageId.slice(1, messageId.indexOf(`.${orderId}`)))
        .filter((mail) => /^(shipped|withdrawn)/.test(mail));

    it('MAIL3 MAIL5 no e-mail is sent about a shipment withdrawn within 30 s, and the next shipment gets its own mail', async () => {
      shop.advance(10_000);
      await withdraw(null);
      await follow(orderId, mailer);
      await runAfter(25_000);
      await runAfter(10 * MINUTE);
      expect(left()).toEqual([]);
      expect((await mails(orderId)).at(-1)).toEqual({ type: 'MailGivenUp', mail: 'shipped', reason: 'outdated' });
      await shipAgain();
      await follow(orderId, mailer);
      await runAfter(31_000);
      expect(left()).toEqual(['shipped.2']);
    });

    it('MAIL5 withdrawing a shipment after its mail was sent leads to one correction e-mail, however many copies of the shop handle the withdrawal', async () => {
      await runAfter(31_000);
      await withdraw('address');
      await follow(orderId, mailer);
      await follow(orderId, newMailer());
      await run(mailer);
      await runAfter(5 * MINUTE);
      expect(left()).toEqual(['shipped', 'withdrawn']);
      await shipAgain();
      await follow(orderId, mailer);
      await runAfter(31_000);
      await withdraw('damaged', 2);
      await follow(orderId, mailer);
      await run(mailer);
      expect(left()).toEqual(['shipped', 'withdrawn', 'shipped.2', 'withdrawn.2']);
    });

    it("MAIL5 READ1 withdrawing a shipment after 29.9 s stops its mail, which is due after 30 s, even if the withdrawal isn't projected yet", async () => {
      const shippedAt = (await shop.readModels.get('order', orderId))?.shippedAt ?? '';
      shop.advance(30_000);
      await withdraw(null, 1, isoTime(Date.parse(shippedAt) + 29_900));
      await mailer.runOnce();
      await follow(orderId, mailer);
      await runAfter(10 * MINUTE);
      expect(left()).toEqual([]);
    });

    it('MAIL5 if a shipment is withdrawn while its mail is being sent, a correction e-mail follows once that mail is known to have been sent', async () => {
      const overtaken = newMailer({
        send: async (mail) => {
          await withdraw('mistake');
          await follow(orderId, newMailer());
          await smtp.send(mail);
        },
      });
      shop.advance(31_000);
      await overtaken.runOnce();
      expect(left()).toEqual(['shipped']);
      await runAfter(4 * MINUTE);
      expect(left()).toEqual(['shipped', 'withdrawn']);
    });

    it("MAIL5 a correction e-mail is sent even if the process that sent the shipment's mail stopped before recording it", async () => {
      const dies = newMailer({ handler: dying() });
      shop.advance(31_000);
      void dies.runOnce();
      await expect.poll(left).toEqual(['shipped']);
      await dies.stop();
      await withdraw('not_collected');
      await follow(orderId, mailer);
      await runAfter(4 * MINUTE);
      await runAfter(10 * MINUTE);
      expect(left()).toEqual(['shipped', 'withdrawn']);
    });

    it("MAIL5 no correction e-mail is sent once the order has been shipped again, because the new shipment's mail replaces it", async () => {
      await runAfter(31_000);
      server.behave('refuse');
      await withdraw('damaged');
      await follow(orderId, mailer);
      await run(mailer);
      await shipAgain();
      await follow(orderId, mailer);
      server.behave('take');
      await runAfter(4 * MINUTE);
      expect(left()).toEqual(['shipped', 'shipped.2']);
      const givenUp = { type: 'MailGivenUp', mail: 'withdrawn', reason: 'outdated' };
      expect(await mails(orderId)).toContainEqual(givenUp);
    });
  });
});
