import type { OrderDocument } from '../../contracts/documents.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { toTaka } from '../../contracts/money.ts';

/** What a mail says; `link` leads to the order's page. */
export interface OrderMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly link: string;
}

const REFUNDED = 'refunded.';

/** The mail that an order's event leads to, by its name; null for none. */
export function mailAfter(event: RecordedEvent): string | null {
  switch (event.type) {
    case 'OrderPlaced':
      return 'placed';
    case 'PaymentRecorded':
      return 'paid';
    case 'OrderShipped':
      return 'shipped';
    case 'OrderCancelled':
      return event.data.reason === 'expired' ? 'expired' : 'cancelled';
    case 'PaymentRefunded':
      return `${REFUNDED}${event.data.intent}`;
    default:
      return null;
  }
}

/** The payment that a mail of this name says was given back; null for other mails. */
export function refundedIntent(mail: string): string | null {
  return mail.startsWith(REFUNDED) ? mail.slice(REFUNDED.length) : null;
}

/** A mail as the order is now; null where the order says no more what the mail would. `refunded` in poisha. */
export function composeMail(
  mail: string,
  order: OrderDocument,
  { origin, refunded }: { readonly origin: string; readonly refunded: number | null },
): OrderMail | null {
  const words = wordsOf(mail, order, refunded);
  if (words === null) return null;
  const number = order.number ?? '';
  const link = `${origin}/dashboard/myorders/${order.id}`;
  const greeting = `Hello ${order.name},`;
  const goods = `${order.quantity} × ${order.product}`;
  const total = `Total: ${taka(order.total)}`;
  const subject = `Order ${number}: ${words.title}`;
  return {
    subject,
    link,
    text: [greeting, words.sentence, `${number}\n${goods}\n${total}`, `Your order: ${link}`, 'Micro Center', ''].join(
      '\n\n',
    ),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="font:16px/1.5 sans-serif;max-width:36em">
<p>${escaped(greeting)}</p>
<p>${escaped(words.sentence)}</p>
<p><strong>${escaped(number)}</strong><br>${escaped(goods)}<br>${escaped(total)}</p>
<p><a href="${escaped(link)}">See your order</a></p>
<p>Micro Center</p>
</body>
</html>
`,
  };
}

function wordsOf(mail: string, order: OrderDocument, refunded: number | null) {
  const { number, status, cancelReason } = order;
  const payBy = `Please pay by ${dhakaTime(order.paymentDeadline)}: until then its stock is kept for you.`;
  switch (mail) {
    case 'placed':
      if (status === 'cancelled') return null;
      return {
        title: 'placed',
        sentence: `Thank you, we have your order ${number}.${status === 'unpaid' ? ` ${payBy}` : ''}`,
      };
    case 'paid':
      if (status !== 'paid' && status !== 'shipped') return null;
      return { title: 'paid', sentence: `We have your payment for ${number}. The next mail comes when it ships.` };
    case 'shipped':
      if (status !== 'shipped') return null;
      return { title: 'shipped', sentence: `Your order ${number} has left our warehouse.` };
    case 'cancelled':
    case 'expired':
      if (status !== 'cancelled') return null;
      return {
        title: 'cancelled',
        sentence:
          cancelReason === 'expired'
            ? `Your order ${number} was cancelled, since it was not paid in time.`
            : `Your order ${number} is cancelled. You need not do anything more.`,
      };
    default:
      if (refunded === null) return null;
      return {
        title: 'refunded',
        sentence: `We have given back ${taka(toTaka(refunded))} for ${number}. Your bank may take some days to show it.`,
      };
  }
}

function taka(amount: number): string {
  return `৳${amount.toLocaleString('en-IN')}`;
}

function dhakaTime(time: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Dhaka' } as const;
  return `${new Date(time).toLocaleString('en-GB', format)} (Dhaka time)`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
