import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { MailRecord } from './mail-record-flow.ts';
import { createMailSender } from './mail-sender-flow.ts';

const MINUTE = 60_000;

it('MAIL1 an e-mail counts as in flight until it has been sent, even if the queue also contains an older claim on the e-mail', async () => {
  let accept = () => {};
  const accepted = new Promise<void>((resolve) => {
    accept = resolve;
  });
  const send = vi.fn(() => accepted);
  const sender = createMailSender({
    send,
    record: { sent: vi.fn() } as unknown as MailRecord,
    compose: async () => ({
      to: 'rahim@shop.test',
      subject: '',
      text: '',
      html: '',
      messageId: '<placed.1@shop.test>',
    }),
    clock: () => 0,
    logger: pino({ level: 'silent' }),
    stopped: new AbortController().signal,
  });
  const claimUntil = (ms: number) => ({ orderId: '1', mail: 'placed', until: new Date(ms).toISOString() });
  sender.queue(claimUntil(0));
  const delivery = sender.deliver(claimUntil(10 * MINUTE));
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce());
  await sender.drain();
  expect(sender.isInFlight('1', 'placed')).toBe(true);
  accept();
  await delivery;
  expect(sender.isInFlight('1', 'placed')).toBe(false);
  expect(send).toHaveBeenCalledOnce();
});
