import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { NEVER_SHARED, type ReportedDispute } from '../../contracts/order/order-document.ts';
import { expectToFollow, type Model } from '../follow-model.fixture.ts';
import { orderDecider } from './decide-order.ts';
import { isBarred, leftToGrant, moneyBackOf, stillOwed } from './money-of-order.ts';
import type { OrderCommand } from './order.ts';
import { shipmentsOf } from './project-order.ts';

const movesOf = ([dispute]: readonly ReportedDispute[]) =>
  dispute ? Number(dispute.withdrawn) + Number(dispute.reinstated) : -1;
const hex = (digit: string) => digit.repeat(32);
const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };

describe('an order', () => {
  const [EXPIRES, PATIENT, TOTAL] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z', 100];
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
  const placing = { type: 'PlaceOrder', userId: hex('c'), delivery } as const;
  const commands: fc.Arbitrary<OrderCommand> = fc.oneof(
    { weight: 4, arbitrary: fc.constant<OrderCommand>({ ...placing, draft }) },
    fc.constant<OrderCommand>({ ...placing, draft: { ...draft, productId: hex('d') } }),
    fc.constantFrom<OrderCommand>({ type: 'CancelOrder' }, { type: 'CancelOrder', by: 'admin' }),
    fc.constantFrom({}, { address: 'Khulna' }).map((changes): OrderCommand => ({ type: 'ChangeDelivery', changes })),
    fc
      .constantFrom('2026-01-01T23:59:59.999Z', EXPIRES, PATIENT)
      .map((now): OrderCommand => ({ type: 'ExpireOrder', now })),
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
    intent.map((slow): OrderCommand => ({ type: 'NoteProcessing', intent: slow, until: PATIENT })),
    intent.map((failed): OrderCommand => ({ type: 'NoteFailedAttempt', intent: failed, reason: 'declined' })),
    {
      weight: 4,
      arbitrary: fc
        .record({
          grant: fc.constantFrom('g_1', 'g_2'),
          amount: fc.constantFrom(4_000, 6_000, 10_000),
          cancels: fc.boolean(),
          seen: fc.constantFrom(undefined, undefined, 3, 5),
        })
        .map(({ seen, ...granted }): OrderCommand => {
          return { type: 'GrantRefund', reason: 'damaged', note: '', ...granted, ...(seen !== undefined && { seen }) };
        }),
    },
    {
      weight: 10,
      arbitrary: fc
        .record({
          // Mostly the same refund, so that many refunds first succeed and then fail.
          refund: fc.constantFrom('re_1', 're_1', 're_1', 're_2'),
          intent: fc.constantFrom('pi_1', 'pi_1', 'pi_1', 'pi_2', 'pi_3'),
          amount: fc.constantFrom(4_000, 6_000, 10_000, 10_000, 10_000, 10_000),
          status: fc.constantFrom('pending', 'succeeded', 'succeeded', 'failed', 'failed', 'canceled'),
          grant: fc.constantFrom('g_1', 'g_2', null, null, null),
        })
        .map((reported): OrderCommand => {
          return { type: 'ReportRefund', reported: { ...reported, currency: 'bdt', failure: null } };
        }),
    },
    fc
      .record({
        intent,
        moves: fc.integer({ min: 0, max: 2 }),
        refundable: fc.boolean(),
        status: fc.constantFrom('needs_response', 'lost'),
      })
      .map(({ intent: disputed, moves, ...said }): OrderCommand => {
        const [withdrawn, reinstated] = [moves > 0, moves > 1];
        const reported = { dispute: 'dp_1', intent: disputed, amount: 10_000, currency: 'bdt', ...said };
        return { type: 'ReportDispute', reported: { ...reported, withdrawn, reinstated } };
      }),
    fc.record({ intent, refund }).map((made): OrderCommand => ({ type: 'RecordRefund', amount: 10_000, ...made })),
    fc
      .record({ intent, refund })
      .map((failed): OrderCommand => ({ type: 'RecordFailedRefund', failure: 'x', ...failed })),
  );

  type Money = 'open' | 'paid' | 'abandoned' | 'refund_due' | 'refunded';
  interface Back {
    amount: number;
    grant: string | null;
    rank: number;
  }
  interface Seen {
    status: string;
    back: string;
    product: string;
    money: Record<string, Money>;
    link: string;
    shipment: string;
  }
  function modelOfOrder(): Model<OrderCommand, Seen> {
    let [status, product, attempts, links, shared] = ['absent', '', 0, 1, false];
    let [shipments, number, erased] = [0, '', false];
    const money: Record<string, Money> = {};
    let [slow, fails, disputed, dispute, barred, over] = ['', 0, '', -1, false, ''];
    const grants = new Map<string, number>();
    /** the grants that cancelled the order */
    const ending = new Set<string>();
    const backs = new Map<string, Back>();
    const alive = (grant?: string) =>
      [...backs.values()].reduce(
        (sum, one) => (one.rank < 2 && (grant === undefined || one.grant === grant) ? sum + one.amount : sum),
        0,
      );
    const isPaid = () => Object.values(money).includes('paid');
    const isTaken = () => dispute === 1 && money[disputed] === 'paid';
    const isLostOf = (id: string) => over === 'lost' && barred && disputed === id;
    const isLost = () => money[disputed] === 'paid' && isLostOf(disputed);
    function owedBy(failures: number): number {
      let rest = !isPaid() || isLost() ? 0 : Math.max(0, TOTAL * 100 - alive() - (isTaken() ? 10_000 : 0));
      let sum = 0;
      for (const [grant, amount] of grants) {
        const part = Math.max(0, Math.min(amount - alive(grant), rest));
        const failedOnes = [...backs.values()].filter((one) => one.grant === grant && one.rank === 2).length;
        rest -= part;
        if (failedOnes < failures) sum += part;
      }
      return sum;
    }
    const owed = () => owedBy(Number.POSITIVE_INFINITY);
    const left = () => (isPaid() ? Math.max(0, TOTAL * 100 - alive() - owed()) : 0);
    const failed = new Set<string>();
    const isDue = (id: string) => [...failed].filter((one) => one.startsWith(`${id} `)).length < 3;
    const onItsWay = () =>
      owedBy(3) > 0 ||
      [...backs.values()].some(({ rank }) => rank === 0) ||
      Object.entries(money).some(([id, at]) => at === 'refund_due' && isDue(id) && !isLostOf(id));
    const move = (intentId: string, to: Money, ...events: DomainEvent['type'][]) => {
      money[intentId] = to;
      if (slow === intentId) slow = '';
      return events;
    };
    function end(): DomainEvent['type'][] {
      status = 'cancelled';
      return ['OrderCancelled'];
    }
    return {
      seen: () => ({
        status,
        back: `${left()} ${owed()} ${slow} ${dispute} ${barred && money[disputed] === 'paid'}`,
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
            if (status === 'unpaid') return end();
            return command.by === 'admin' && status === 'paid' && (left() === 0 || isLost() || erased)
              ? end()
              : 'order_paid';
          case 'ExpireOrder':
            return status === 'unpaid' && command.now >= (slow === '' ? EXPIRES : PATIENT) ? end() : [];
          case 'NoteProcessing':
            if (status !== 'unpaid' || money[command.intent] !== 'open' || slow !== '') return [];
            slow = command.intent;
            return ['PaymentProcessing'];
          case 'NoteFailedAttempt':
            if (status !== 'unpaid' || money[command.intent] !== 'open' || (fails >= 20 && slow === '')) return [];
            [slow, fails] = ['', fails + 1];
            return ['PaymentFailed'];
          case 'GrantRefund':
            if (repeated) {
              const isSame =
                grants.get(command.grant) === command.amount && ending.has(command.grant) === command.cancels;
              return isSame ? [] : 'idempotency_key_reused';
            }
            if (status === 'cancelled' && (command.cancels || !isPaid())) return 'order_cancelled';
            if (status === 'unpaid') return 'order_not_paid';
            if (command.seen !== undefined && command.seen !== version) return 'stale_version';
            if (barred && money[disputed] === 'paid') return 'order_disputed';
            if (command.amount > left()) return 'refund_too_large';
            if (command.cancels && status === 'shipped') return 'order_shipped';
            if (command.cancels && command.amount !== left()) return 'refund_incomplete';
            grants.set(command.grant, command.amount);
            if (command.cancels) ending.add(command.grant);
            return ['RefundGranted', ...(command.cancels ? end() : [])];
          case 'ReportRefund': {
            const { refund: id, status: at, ...told } = command.reported;
            const rank = { pending: 0, succeeded: 1, failed: 2, canceled: 2 }[at];
            if (money[told.intent] !== 'paid' || rank <= (backs.get(id)?.rank ?? -1)) return [];
            backs.set(id, { ...told, rank });
            return ['RefundReported'];
          }
          case 'ReportDispute': {
            const { intent: about, withdrawn, reinstated, refundable, status: fate } = command.reported;
            const moves = Number(withdrawn) + Number(reinstated);
            const isSame = moves === dispute && barred === !refundable && over === fate;
            const isLate = moves === dispute && over === 'lost' && fate !== 'lost';
            if (!(about in money) || moves < dispute || isSame || isLate) return [];
            [disputed, dispute, barred, over] = [about, moves, !refundable, fate];
            return ['DisputeReported'];
          }
          case 'ShipOrder':
            if (repeated) return [];
            if (status === 'unpaid') return 'order_not_paid';
            if (status === 'cancelled') return 'order_cancelled';
            if (status === 'shipped') return [];
            if (left() === 0) return 'order_refunded';
            if (isTaken()) return 'order_disputed';
            if (erased) return 'order_erased';
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
            if (erased) return 'order_erased';
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
            if (status === 'paid' && left() > 0 && !isLost()) return 'order_paid';
            if (onItsWay()) return 'refund_pending';
            erased = true;
            return [...(status === 'unpaid' ? end() : []), 'PersonalDataErased'];
          }
        }
      },
    };
  }

  it('ORD1 ORD4 ORD6 ORD9 ORD10 ORD11 ORD12 ORD14 PAY2 PAY4 PAY6 PAY7 PAY8 an order behaves like its reference model for any sequence of commands', () => {
    expectToFollow(orderDecider, {
      commands: fc.oneof({ weight: 20, arbitrary: commands }, fc.constant<OrderCommand>({ type: 'ErasePersonalData' })),
      causeOf(command, index) {
        if (command.type === 'GrantRefund') return `refund:${command.grant}`;
        return command.type === 'ShipOrder' && command.seen !== undefined ? `ship:${command.seen}` : `c:${index}`;
      },
      // An erased order whose refund is then sent back is rare.
      runs: 4_000,
      model: modelOfOrder,
      seenOf: (state) =>
        state.status === 'absent'
          ? { status: 'absent', back: '0 0  -1 false', product: '', money: {}, link: '1 false', shipment: '0 ' }
          : {
              status: state.status,
              back: [
                leftToGrant(state),
                stillOwed(state),
                state.processing?.intent ?? '',
                movesOf(moneyBackOf(state).disputes),
                isBarred(state, state.transactionId),
              ].join(' '),
              product: state.productId,
              link: Object.values(state.tracking ?? NEVER_SHARED).join(' '),
              shipment: `${shipmentsOf(state)} ${state.parcel?.trackingNumber ?? ''}`,
              money: Object.fromEntries(state.intents.map((one) => [one.intent, one.status])),
            },
    });
  });
});
