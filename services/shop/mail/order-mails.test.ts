import { describe, expect, it } from 'vitest';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { WITHDRAWAL_REASONS, type WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import { sampleOrder } from '../../engine/read-models/sample-documents.fixture.ts';
import { composeMail } from './order-mails.ts';

const ORIGIN = 'https://shop.example';
const compose = (mail: string, change: Partial<OrderDocument> = {}, refunded: number | null = null) =>
  composeMail(mail, sampleOrder({ quantity: 3, total: 123_456, ...change }), {
    origin: ORIGIN,
    refunded,
    withdrawal: { reason: 'damaged' },
  });

describe('the e-mails about an order', () => {
  it('J1 each e-mail names the order, the product and the total in taka, and links to the order’s page', () => {
    const states = [
      ['placed', {}, 'Order MC-1042: placed'],
      ['paid', { status: 'paid' }, 'Order MC-1042: paid'],
      ['shipped', { status: 'shipped' }, 'Order MC-1042: shipped'],
      ['shipped.2', { status: 'shipped', shipments: 2 }, 'Order MC-1042: shipped'],
      ['withdrawn', { status: 'paid' }, 'Order MC-1042: still with us'],
      ['withdrawn.2', { status: 'paid', shipments: 2 }, 'Order MC-1042: still with us'],
      ['cancelled', { status: 'cancelled', cancelReason: 'customer' }, 'Order MC-1042: cancelled'],
      ['expired', { status: 'cancelled', cancelReason: 'expired' }, 'Order MC-1042: cancelled'],
      ['refunded.pi_1', { status: 'cancelled' }, 'Order MC-1042: refunded'],
    ] as const;
    for (const [mail, change, subject] of states) {
      const composed = compose(mail, { ...change, id: 'c'.repeat(24) }, 450_050);
      expect(composed?.subject).toBe(subject);
      for (const body of [composed?.text, composed?.html]) {
        for (const part of ['Farida Rahman', 'MC-1042', '3 × Tower One', 'Total: ৳123,456']) {
          expect(body, mail).toContain(part);
        }
        expect(body).toContain(`https://shop.example/dashboard/myorders/${'c'.repeat(24)}`);
      }
    }
  });

  it('J1 the e-mails about an order state the payment deadline in Dhaka time, the reason for a cancellation, and the refunded amount', () => {
    const deadline = { paymentDeadline: '2026-01-02T00:00:00.000Z' };
    expect(compose('placed', deadline)?.text).toContain('Please pay by 2 Jan 2026, 06:00 (Dhaka time)');
    expect(compose('placed', { ...deadline, status: 'paid' })?.text).not.toContain('Please pay');
    const expired = { status: 'cancelled', cancelReason: 'expired' } as const;
    expect(compose('expired', expired)?.text).toContain('was not paid in time');
    expect(compose('refunded.pi_1', { status: 'cancelled' }, 450_050)?.text).toContain('given back ৳4,500.5 ');
  });

  it('J1 if an admin cancelled the order, the cancellation e-mail says that the shop cancelled it', () => {
    const text = (cancelReason: 'admin' | 'customer') =>
      compose('cancelled', { status: 'cancelled', cancelReason })?.text;
    expect(text('admin')).toContain('The shop has cancelled your order MC-1042. You need not do anything more.');
    expect(text('customer')).toContain('Your order MC-1042 is cancelled. You need not do anything more.');
  });

  it('J1 the e-mail about a shipment names the carrier and the tracking number, and links to the carrier’s tracking page', () => {
    const parcel = { carrier: 'steadfast', trackingNumber: 'SF-7788' } as const;
    const mail = compose('shipped', { status: 'shipped', parcel });
    for (const body of [mail?.text, mail?.html]) {
      for (const part of ['Steadfast brings it to you', 'SF-7788', 'https://steadfast.com.bd/t/SF-7788']) {
        expect(body).toContain(part);
      }
    }
    const bare = compose('shipped', { status: 'shipped', parcel: null });
    expect(bare?.text).toContain('Your order MC-1042 has left our warehouse.\n');
    expect(bare?.html).not.toContain('undefined');
  });

  it('MAIL5 a correction e-mail explains why the shipment was withdrawn, and calls it a mistake if no reason was given', () => {
    const order = sampleOrder({ status: 'paid', shipments: 1, parcel: null });
    const sentence = (reason: WithdrawalReason | null) => {
      return composeMail('withdrawn', order, { origin: ORIGIN, refunded: null, withdrawal: { reason } })?.text;
    };
    const words = {
      mistake: 'our mistake',
      damaged: 'damaged',
      not_collected: 'did not collect',
      address: 'its address',
    };
    for (const reason of WITHDRAWAL_REASONS) {
      expect(sentence(reason)).toContain(words[reason]);
      expect(sentence(reason)).toContain('We mail you again when it ships');
    }
    expect(sentence(null)).toBe(sentence('mistake'));
  });

  it("J1 an e-mail's HTML starts with a preview text, supports light and dark themes, and loads no external resources", () => {
    const html = compose('paid', { status: 'paid' })?.html ?? '';
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toMatch(/<body>\s*<div class="preview">We have your payment for MC-1042\./);
    expect(html).not.toMatch(/<(img|table|script|link)|url\(/);
  });

  it("J1 an e-mail's HTML escapes text entered by users", () => {
    const name = `<script>alert("1")</script> & 'Sons'`;
    const html = compose('placed', { name, product: '<b>Tower</b>' })?.html ?? '';
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;Sons&#39;');
    expect(html).toContain('&lt;b&gt;Tower&lt;/b&gt;');
    expect(html).not.toMatch(/<script|<b>/);
  });

  it('MAIL2 no e-mail is composed if the order is no longer in the state that the e-mail is about', () => {
    expect(compose('placed', { status: 'cancelled' })).toBeNull();
    expect(compose('paid', { status: 'unpaid' })).toBeNull();
    expect(compose('shipped', { status: 'paid' })).toBeNull();
    expect(compose('shipped', { status: 'shipped', shipments: 2 })).toBeNull();
    expect(compose('withdrawn', { status: 'shipped', shipments: 2 })).toBeNull();
    expect(compose('withdrawn', { status: 'paid', shipments: 2 })).toBeNull();
    expect(compose('withdrawn', { status: 'cancelled' })).toBeNull();
    expect(compose('cancelled', { status: 'unpaid' })).toBeNull();
    expect(compose('refunded.pi_1', { status: 'cancelled' }, null)).toBeNull();
  });
});
