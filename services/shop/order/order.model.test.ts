import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { expectToFollow, type Model } from '../follow-model.fixture.ts';
import { orderDecider } from './decide-order.ts';
import type { OrderCommand } from './order.ts';

const hex = (digit: string) => digit.repeat(32);
const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };

describe('an order', () => {
  const [EXPIRES, TOTAL] = ['2026-01-02T00:00:00.000Z', 100];
  /**
   * The time of shipping, the last moment to withdraw the shipment without a reason, the last moment to withdraw it
   * with a reason, and the first moment that is too late.
   */
  const [SHIPPED, SOON, LATE, TOO_LATE] = ['12:00:00.000', '12:00:30.000', '12:15:00.000', '12:15:00.001'].map(
    (time) => `2026-01-01T${time}Z`,
  ) as [string, string, string, string];
  const draft = {
    orderId: hex('a'),
    number: 'MC-1001',
    productId: hex('b'),
    product: 'Tower',
    quantity: 1,
    price: TOTAL * 100,
    total: TOTAL,
    placedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: EXPIRES,
  };
  const FULL = { amount: TOTAL * 100, currency: 'bdt' } as const;
  const intent = fc.constantFrom('pi_1', 'pi_2', 'pi_3');
  const refund = fc.constantFrom('re_1', 're_2', 're_3');
  const placing = { type: 'PlaceOrder', customer: hex('c'), delivery } as const;
  const commands: fc.Arbitrary<OrderCommand> = fc.oneof(
    { weight: 4, arbitrary: fc.constant<OrderCommand>({ ...placing, draft }) },
    fc.constant<OrderCommand>({ ...placing, draft: { ...draft, productId: hex('d') } }),
    fc.constant<OrderCommand>({ type: 'CancelOrder' }),
    fc.constantFrom({}, { address: 'Khulna' }).map((changes): OrderCommand => ({ type: 'ChangeDelivery', changes })),
    fc.constantFrom('2026-01-01T23:59:59.999Z', EXPIRES).map((now): OrderCommand => ({ type: 'ExpireOrder', now })),
    {
      weight: 3,
      arbitrary: fc
        .option(fc.integer({ min: 2, max: 8 }), { nil: undefined })
        .map((seen): OrderCommand => ({ type: 'ShipOrder', now: SHIPPED, ...(seen !== undefined && { seen }) })),
    },
    {
      weight: 6,
      arbitrary: fc
        .record({
          shipment: fc.integer({ min: 1, max: 2 }),
          reason: fc.constantFrom(null, null, 'mistake', 'damaged'),
          now: fc.constantFrom(SHIPPED, SOON, LATE, LATE, TOO_LATE),
        })
        .map((withdrawal): OrderCommand => ({ type: 'WithdrawShipment', ...withdrawal })),
    },
    fc
      .constantFrom('111', '222')
      .map((trackingNumber): OrderCommand => ({ type: 'RecordParcel', parcel: { carrier: 'dhl', trackingNumber } })),
    fc.constantFrom('ShareTracking', 'WithdrawTracking').map((type): OrderCommand => ({ type })),
    fc
      .record({ intent, attempt: fc.integer({ min: 1, max: 3 }) })
      .map((start): OrderCommand => ({ type: 'StartPayment', amount: TOTAL * 100, ...start })),
    // This command has a high weight, so that most orders get paid. Otherwise, few orders would be shipped, and even
    // fewer shipments would be withdrawn.
    { weight: 6, arbitrary: intent.map((paid): OrderCommand => ({ type: 'SettlePayment', intent: paid, ...FULL })) },
    fc
      .record({ intent, amount: fc.constantFrom(TOTAL * 100, 9_999, 10_001), currency: fc.constantFrom('bdt', 'usd') })
      .map((paid): OrderCommand => ({ type: 'SettlePayment', ...paid })),
    intent.map((abandoned): OrderCommand => ({ type: 'AbandonPayment', intent: abandoned })),
    fc.record({ intent, refund }).map((made): OrderCommand => ({ type: 'RecordRefund', amount: 10_000, ...made })),
    fc
      .record({ intent, refund })
      .map((failed): OrderCommand => ({ type: 'RecordFailedRefund', failure: 'x', ...failed })),
  );

  type Money = 'open' | 'paid' | 'abandoned' | 'refund_due' | 'refunded';
  interface Seen {
    status: string;
    product: string;
    money: Record<string, Money>;
    link: string;
    shipment: string;
  }
  function modelOfOrder(): Model<OrderCommand, Seen> {
    let [status, product, attempts, links, shared] = ['absent', '', 0, 1, false];
    let [shipments, number, erased] = [0, '', false];
    const money: Record<string, Money> = {};
    const failed = new Set<string>();
    const move = (intentId: string, to: Money, ...events: DomainEvent['type'][]) => {
      money[intentId] = to;
      return events;
    };
    function end(): DomainEvent['type'][] {
      status = 'cancelled';
      return ['OrderCancelled'];
    }
    return {
      seen: () => ({
        status,
        product,
        money: { ...money },
        link: `${links} ${shared}`,
        shipment: `${shipments} ${number}`,
      }),
      step(command, { repeated, version }) {
        if (command.type === 'PlaceOrder') {
          if (status !== 'absent') return product === command.draft.productId ? [] : 'idempotency_key_reused';
          [status, product] = ['unpaid', command.draft.productId];
          return ['OrderPlaced'];
        }
        if (status === 'absent') return 'not_found';
        switch (command.type) {
          case 'CancelOrder':
            if (status === 'cancelled') return [];
            return status === 'unpaid' ? end() : 'order_paid';
          case 'ExpireOrder':
            return status === 'unpaid' && command.now === EXPIRES ? end() : [];
          case 'ShipOrder':
            if (repeated) return [];
            if (status === 'unpaid') return 'order_not_paid';
            if (status === 'cancelled') return 'order_cancelled';
            if (status === 'shipped') return [];
            if (command.seen !== undefined && command.seen !== version) return 'order_changed';
            [status, number] = ['shipped', ''];
            shipments += 1;
            return ['OrderShipped'];
          case 'WithdrawShipment':
            if (status !== 'shipped' || command.shipment !== shipments) return 'order_not_shipped';
            if (command.now === TOO_LATE || erased) return 'shipment_final';
            if (command.now === LATE && command.reason === null) return 'reason_required';
            [status, number] = ['paid', ''];
            return ['ShipmentWithdrawn'];
          case 'RecordParcel':
            if (status !== 'shipped') return 'order_not_shipped';
            if (number === command.parcel.trackingNumber) return [];
            number = command.parcel.trackingNumber;
            return ['ParcelRecorded'];
          case 'ChangeDelivery':
            if (status === 'cancelled') return 'order_cancelled';
            if (status === 'shipped') return 'order_shipped';
            return 'address' in command.changes ? ['DeliveryChanged'] : [];
          case 'ShareTracking':
            if (shared) return [];
            shared = true;
            return ['TrackingShared'];
          case 'WithdrawTracking':
            if (!shared) return [];
            shared = false;
            links += 1;
            return ['TrackingWithdrawn'];
          case 'StartPayment':
            if (status === 'cancelled') return 'order_cancelled';
            if (status !== 'unpaid') return 'order_paid';
            if (command.intent in money) return [];
            if (Object.values(money).includes('open') || command.attempt !== attempts + 1) return 'payment_superseded';
            attempts = command.attempt;
            return move(command.intent, 'open', 'PaymentStarted');
          case 'SettlePayment': {
            if (['paid', 'refund_due', 'refunded'].includes(money[command.intent] ?? '')) return [];
            const fits = command.amount === TOTAL * 100 && command.currency === 'bdt';
            if (status !== 'unpaid' || !fits) return move(command.intent, 'refund_due', 'RefundDue');
            status = 'paid';
            return move(command.intent, 'paid', 'PaymentRecorded');
          }
          case 'AbandonPayment':
            return money[command.intent] === 'open' ? move(command.intent, 'abandoned', 'PaymentAbandoned') : [];
          case 'RecordRefund':
            if (money[command.intent] !== 'refund_due' || failed.has(`${command.intent} ${command.refund}`)) return [];
            return move(command.intent, 'refunded', 'PaymentRefunded');
          case 'RecordFailedRefund': {
            const known = `${command.intent} ${command.refund}`;
            if (!['refund_due', 'refunded'].includes(money[command.intent] ?? '') || failed.has(known)) return [];
            failed.add(known);
            return move(command.intent, 'refund_due', 'RefundFailed');
          }
          case 'NoteUnsentMail':
            return repeated ? [] : ['MailGivenUp'];
          case 'ErasePersonalData': {
            if (erased) return [];
            if (status === 'paid') return 'order_paid';
            erased = true;
            return [...(status === 'unpaid' ? end() : []), 'PersonalDataErased'];
          }
        }
      },
    };
  }

  it('ORD1 ORD4 ORD6 ORD9 ORD10 ORD11 ORD12 PAY2 PAY4 PAY6 an order behaves like its reference model for any sequence of commands', () => {
    expectToFollow(orderDecider, {
      commands: fc.oneof({ weight: 30, arbitrary: commands }, fc.constant<OrderCommand>({ type: 'ErasePersonalData' })),
      causeOf(command, index) {
        return command.type === 'ShipOrder' && command.seen !== undefined ? `ship:${command.seen}` : `c:${index}`;
      },
      model: modelOfOrder,
      seenOf: (state) =>
        state.status === 'absent'
          ? { status: 'absent', product: '', money: {}, link: '1 false', shipment: '0 ' }
          : {
              status: state.status,
              product: state.draft.productId,
              link: `${state.tracking.generation} ${state.tracking.shared}`,
              shipment: `${state.shipments} ${state.parcel?.trackingNumber ?? ''}`,
              money: Object.fromEntries(state.intents.map((one) => [one.intent, one.status])),
            },
    });
  });
});
