import { unreachable } from '../../contracts/decider.ts';
import type { RecordedEvent } from '../../contracts/events.ts';
import { toTaka } from '../../contracts/money.ts';
import type { CancelReason } from '../../contracts/order/cancel-reasons.ts';
import { CARRIERS, parcelLink } from '../../contracts/order/carriers.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import type { WithdrawalReason } from '../../contracts/order/order-reasons.ts';
import { mailHtml } from './mail-html.ts';

/** The content of an e-mail. `link` is the URL of the order's page. */
export interface OrderMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly link: string;
}

/**
 * Facts that an e-mail needs but the order's document doesn't contain. A fact is null if it's irrelevant to this e-mail
 * or no longer true.
 */
export interface MailFacts {
  /** the refunded amount, in poisha */
  readonly refunded: number | null;
  /** `reason` is null if the admin didn't give one */
  readonly withdrawal: { readonly reason: WithdrawalReason | null } | null;
}

interface Words {
  /** the last part of the subject line, after the order number */
  readonly title: string;
  readonly headline: string;
  readonly sentence: string;
  /** a link to the carrier's page where the customer can track the parcel */
  readonly parcel?: { readonly words: string; readonly link: string };
}

const REFUNDED = 'refunded';

/**
 * Returns the name of the e-mail that an order's event triggers, or null if the event triggers no e-mail. `shipment` is
 * the shipment's number, counted from 1, and is used only for `OrderShipped`.
 */
export function mailAfter(event: RecordedEvent, shipment: number): string | null {
  switch (event.type) {
    case 'OrderPlaced':
      return 'placed';
    case 'PaymentRecorded':
      return 'paid';
    case 'OrderShipped':
      return shipmentMail('shipped', shipment);
    case 'ShipmentWithdrawn':
      return shipmentMail('withdrawn', event.data.shipment);
    case 'OrderCancelled':
      return event.data.reason === 'expired' ? 'expired' : 'cancelled';
    case 'PaymentRefunded':
      return `${REFUNDED}.${event.data.intent}`;
    case 'RefundReported':
      return event.data.status === 'succeeded' ? `${REFUNDED}.${event.data.refund}` : null;
    default:
      return null;
  }
}

/**
 * The first shipment's e-mail has no number in its name, because e-mails were named that way before shipments were
 * numbered.
 */
function shipmentMail(name: 'shipped' | 'withdrawn', shipment: number): string {
  return shipment === 1 ? name : `${name}.${shipment}`;
}

/** Returns the id of the refunded payment intent, or of the refund, if the e-mail is about a refund. Otherwise, returns null. */
export function refundedObject(mail: string): string | null {
  const [name, object = null] = mail.split('.');
  return name === REFUNDED ? object : null;
}

/**
 * If the e-mail is about a withdrawn shipment, returns the shipment's number and the name of the earlier e-mail that
 * this one corrects. Otherwise, returns null.
 */
export function withdrawnShipment(mail: string): { readonly shipment: number; readonly corrects: string } | null {
  const [name, number = '1'] = mail.split('.');
  if (name !== 'withdrawn') return null;
  return { shipment: Number(number), corrects: shipmentMail('shipped', Number(number)) };
}

/** Composes an e-mail from the order's current state. Returns null if the e-mail no longer applies to that state. */
export function composeMail(
  mail: string,
  order: OrderDocument,
  { origin, ...facts }: MailFacts & { readonly origin: string },
): OrderMail | null {
  const words = wordsOf(mail, order, facts);
  if (words === null) return null;
  const { headline, sentence, parcel } = words;
  const number = order.number ?? '';
  const link = `${origin}/dashboard/myorders/${order.id}`;
  const greeting = `Hello ${order.name},`;
  const goods = `${order.quantity} × ${order.product}`;
  const total = `Total: ${taka(order.total)}`;
  const subject = `Order ${number}: ${words.title}`;
  const parts = [greeting, sentence, `${number}\n${goods}\n${total}`];
  if (parcel) parts.push(`${parcel.words}: ${parcel.link}`);
  return {
    subject,
    link,
    text: [...parts, `Your order: ${link}`, 'Micro Center', ''].join('\n\n'),
    html: mailHtml({ subject, headline, greeting, sentence, number, goods, total, link, ...(parcel && { parcel }) }),
  };
}

function wordsOf(mail: string, order: OrderDocument, { refunded, withdrawal }: MailFacts): Words | null {
  const { number = '', status, cancelReason, shipments = 1 } = order;
  const payBy = `Please pay by ${dhakaTime(order.paymentDeadline)}: until then its stock is kept for you.`;
  const [name, shipment = '1'] = mail.split('.');
  const says = (title: string, headline: string, sentence: string): Words => ({ title, headline, sentence });
  switch (name) {
    case 'placed': {
      if (status === 'cancelled') return null;
      const thanks = `Thank you, we have your order ${number}.`;
      return says('placed', 'Your order is placed', status === 'unpaid' ? `${thanks} ${payBy}` : thanks);
    }
    case 'paid': {
      if (status !== 'paid' && status !== 'shipped') return null;
      const sentence = `We have your payment for ${number}. The next mail comes when it ships.`;
      return says('paid', 'Your order is paid', sentence);
    }
    case 'shipped':
      if (status !== 'shipped' || shipments !== Number(shipment)) return null;
      return { title: 'shipped', headline: 'Your order is on its way', ...shippedWords(order) };
    case 'withdrawn':
      if (status !== 'paid' || shipments !== Number(shipment) || withdrawal === null) return null;
      return says('still with us', 'Your order is still with us', withdrawnSentence(number, withdrawal.reason));
    case 'cancelled':
    case 'expired':
      if (status !== 'cancelled') return null;
      return says('cancelled', 'Your order is cancelled', cancelledSentence(number, cancelReason ?? 'customer'));
    default: {
      if (refunded === null) return null;
      const back = `We have given back ${taka(toTaka(refunded))} for ${number}. Your bank may take some days to show it.`;
      return says('refunded', 'Your money is on its way back', back);
    }
  }
}

function shippedWords({ number, shipments = 1, parcel }: OrderDocument): Pick<Words, 'sentence' | 'parcel'> {
  const left = `Your order ${number} has left our warehouse${shipments > 1 ? ' again' : ''}.`;
  if (!parcel) return { sentence: left };
  const { carrier, trackingNumber } = parcel;
  const { name } = CARRIERS[carrier];
  return {
    sentence: `${left} ${name} brings it to you; the parcel's number is ${trackingNumber}.`,
    parcel: { words: `Follow your parcel at ${name}`, link: parcelLink(carrier, trackingNumber) },
  };
}

function cancelledSentence(number: string, reason: CancelReason): string {
  switch (reason) {
    case 'expired':
      return `Your order ${number} was cancelled, since it was not paid in time.`;
    case 'admin':
      return `The shop has cancelled your order ${number}. You need not do anything more.`;
    case 'customer':
      return `Your order ${number} is cancelled. You need not do anything more.`;
    default:
      return unreachable(reason);
  }
}

function withdrawnSentence(number: string, reason: WithdrawalReason | null): string {
  const next = 'We mail you again when it ships, and are sorry for the wait.';
  switch (reason) {
    case 'damaged':
      return `Your order ${number} was damaged before it left us, so we are packing it again. ${next}`;
    case 'not_collected':
      return `Your order ${number} was ready to go, but its carrier did not collect it. It is still with us. ${next}`;
    case 'address':
      return `We have kept your order ${number} back, since its address is not clear to us. Please look at it on your order's page: you can correct it there. ${next}`;
    default:
      return `We wrote that your order ${number} had left our warehouse. That was our mistake: it is still with us. ${next}`;
  }
}

// The formatters are created only once, because creating one takes longer than composing the rest of an e-mail.
const IN_TAKA = new Intl.NumberFormat('en-US');
const IN_DHAKA = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Dhaka' });

function taka(amount: number): string {
  return `৳${IN_TAKA.format(amount)}`;
}

function dhakaTime(time: string): string {
  return `${IN_DHAKA.format(new Date(time))} (Dhaka time)`;
}
