import { describe, expect, it } from 'vitest';
import { META, newId } from '../payment/paying-shop.fixture.ts';
import { userDecider } from '../people/decide-user.ts';
import {
  EMAIL,
  eventsOf,
  follow,
  freshShop,
  MINUTE,
  mails,
  mailTypes,
  newMailer,
  now,
  people,
  run,
  server,
  shop,
} from './mailing-shop.fixture.ts';

freshShop();

describe('e-mails about orders', () => {
  it("MAIL3 an e-mail goes only to the account's own address, and only while the identity provider reports that address as verified", async () => {
    const mailer = newMailer();
    const changes = {
      unverified: () => people.put('uid-1', EMAIL, { emailVerified: false }),
      disabled: () => people.put('uid-1', EMAIL, { disabled: true }),
      'under another address': () => people.put('uid-1', 'other@micro-center.test'),
      gone: () => people.accounts.clear(),
    };
    for (const [account, change] of Object.entries(changes)) {
      change();
      const orderId = await shop.place();
      await follow(orderId, mailer);
      await run(mailer);
      const reason = 'no_verified_email';
      expect((await mails(orderId)).at(-1), account).toEqual({ type: 'MailGivenUp', mail: 'placed', reason });
    }
    expect(server.received).toEqual([]);
  });

  it('MAIL3 ERASE1 a customer who has closed their account gets no more mail', async () => {
    const orderId = await shop.place();
    const close = { type: 'CloseAccount', reason: 'erased', delisted: 0 } as const;
    await shop.handler.execute(userDecider, META.actor, close, { ...META, cause: newId(), time: now() });
    const mailer = newMailer();
    await shop.project().catch(() => undefined);
    for (const event of await eventsOf(orderId)) await mailer.follow(event);
    await mailer.runOnce();
    expect(server.received).toEqual([]);
    expect((await mails(orderId)).at(-1)).toMatchObject({ type: 'MailGivenUp', reason: 'no_verified_email' });
  });

  it("MAIL3 an e-mail isn't sent while the identity provider is down, but is sent once the provider is back", async () => {
    const orderId = await shop.place();
    const away = newMailer({ identity: { accounts: async () => Promise.reject(new Error('away')) } });
    await follow(orderId, away);
    await run(away);
    expect(await mailTypes(orderId)).toEqual(['MailClaimed']);
    shop.advance(4 * MINUTE);
    await run(newMailer());
    expect(server.received).toHaveLength(1);
  });
});
