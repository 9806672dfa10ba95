import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decider } from '../contracts/decider.ts';
import type { DomainEvent } from '../contracts/events.ts';
import { orderDecider } from './order/decide-order.ts';
import type { OrderCommand } from './order/order.ts';
import { productDecider } from './product/decide-product.ts';
import type { ProductCommand } from './product/product.ts';
import { userDecider } from './user/decide-user.ts';
import type { UserCommand } from './user/user.ts';

/** What a command leads to: the types of its events, or the code of its refusal. */
type Expected = readonly DomainEvent['type'][] | string;

/** The rules of one stream written down a second time, as plainly as they can be said. */
interface Model<Command, Seen> {
  /** What the command leads to; the model has moved on then. */
  step(command: Command, context: { readonly version: number; readonly repeated: boolean }): Expected;
  seen(): Seen;
}

/** Runs commands in any order and often twice, through a decider and its model, and compares each step. */
function expectToFollow<State, Command, Seen>(
  decider: Decider<State, Command>,
  {
    commands,
    causeOf,
    model,
    seenOf,
  }: {
    readonly commands: fc.Arbitrary<Command>;
    readonly causeOf: (command: Command, index: number) => string;
    readonly model: () => Model<Command, Seen>;
    readonly seenOf: (state: State) => Seen;
  },
): void {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 60, size: 'max' }), (sequence) => {
      const plain = model();
      const yielded = new Map<string, readonly DomainEvent[]>();
      let [state, version] = [decider.initialState, 0];
      for (const [index, command] of sequence.entries()) {
        const cause = causeOf(command, index);
        const prior = yielded.get(cause) ?? [];
        const decision = decider.decide(command, state, { version, prior });
        const expected = plain.step(command, { version, repeated: prior.length > 0 });
        expect(decision.kind === 'refused' ? decision.refusal.code : decision.events.map(({ type }) => type)).toEqual(
          expected,
        );
        if (decision.kind === 'refused') continue;
        state = decision.events.reduce((before, event) => decider.evolve(before, event), state);
        version += decision.events.length;
        yielded.set(cause, [...prior, ...decision.events]);
        expect(seenOf(state)).toEqual(plain.seen());
      }
    }),
    { numRuns: 400 },
  );
}

const hex = (digit: string) => digit.repeat(32);
const delivery = { name: 'Rumi', email: 'rumi@micro-center.test', phone: '01700000000', address: 'Dhaka' };

describe('an order', () => {
  const [EXPIRES, TOTAL] = ['2026-01-02T00:00:00.000Z', 100];
  const draft = {
    ...{ orderId: hex('a'), productId: hex('b'), product: 'Tower', quantity: 1, price: TOTAL * 100, total: TOTAL },
    ...{ placedAt: '2026-01-01T00:00:00.000Z', expiresAt: EXPIRES },
  };
  const intent = fc.constantFrom('pi_1', 'pi_2', 'pi_3');
  const refund = fc.constantFrom('re_1', 're_2', 're_3');
  const placing = { type: 'PlaceOrder', customer: hex('c'), delivery } as const;
  const commands: fc.Arbitrary<OrderCommand> = fc.oneof(
    { weight: 4, arbitrary: fc.constant<OrderCommand>({ ...placing, draft }) },
    fc.constant<OrderCommand>({ ...placing, draft: { ...draft, productId: hex('d') } }),
    fc.constant<OrderCommand>({ type: 'CancelOrder' }),
    fc.constantFrom('2026-01-01T23:59:59.999Z', EXPIRES).map((now): OrderCommand => ({ type: 'ExpireOrder', now })),
    fc.constant<OrderCommand>({ type: 'ShipOrder' }),
    fc
      .record({ intent, attempt: fc.integer({ min: 1, max: 3 }) })
      .map((start): OrderCommand => ({ type: 'StartPayment', amount: TOTAL * 100, ...start })),
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
  function modelOfOrder(): Model<OrderCommand, { status: string; product: string; money: Record<string, Money> }> {
    let [status, product, attempts] = ['absent', '', 0];
    const money: Record<string, Money> = {};
    const failed = new Set<string>();
    const move = (intentId: string, to: Money, ...events: DomainEvent['type'][]) => {
      money[intentId] = to;
      return events;
    };
    function end(): Expected {
      status = 'cancelled';
      return ['OrderCancelled'];
    }
    return {
      seen: () => ({ status, product, money: { ...money } }),
      step(command, { repeated }) {
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
            if (status === 'unpaid') return 'order_not_paid';
            if (status === 'cancelled') return 'order_cancelled';
            if (status === 'shipped') return [];
            status = 'shipped';
            return ['OrderShipped'];
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
          case 'ErasePersonalData':
            return repeated ? [] : ['PersonalDataErased'];
        }
      },
    };
  }

  it('ORD1 ORD4 ORD6 PAY2 PAY4 PAY6 follows a plain model, with commands in any order', () => {
    expectToFollow(orderDecider, {
      commands: fc.oneof({ weight: 6, arbitrary: commands }, fc.constant<OrderCommand>({ type: 'ErasePersonalData' })),
      causeOf: ({ type }, index) => (type === 'ErasePersonalData' ? 'erase' : `c:${index}`),
      model: modelOfOrder,
      seenOf: (state) =>
        state.status === 'absent'
          ? { status: 'absent', product: '', money: {} }
          : {
              status: state.status,
              product: state.draft.productId,
              money: Object.fromEntries(state.intents.map((one) => [one.intent, one.status])),
            },
    });
  });
});

describe('a product', () => {
  const details = {
    ...{ name: 'Tower', img1: '', img2: '', processor: '', gpu: '', rated: '', description: '' },
    ...{ price: 50_000_000, minorder: 2 },
  };
  const few = fc.integer({ min: 0, max: 6 });
  const order = fc.constantFrom(hex('1'), hex('2'), hex('3'), hex('4'));
  const times = { placedAt: '2026-01-01T00:00:00.000Z', expiresAt: '2026-01-02T00:00:00.000Z' };
  const commands: fc.Arbitrary<ProductCommand> = fc.oneof(
    { weight: 2, arbitrary: few.map((quantity): ProductCommand => ({ type: 'AddProduct', details, quantity })) },
    {
      weight: 2,
      arbitrary: fc
        .constantFrom(100, 200, 50_000_000)
        .map((price): ProductCommand => ({ type: 'ChangeProduct', changes: { price } })),
    },
    fc
      .record({ quantity: few, seenVersion: fc.integer({ min: 1, max: 8 }) })
      .map((stock): ProductCommand => ({ type: 'ChangeProduct', changes: {}, stock })),
    fc.constant<ProductCommand>({ type: 'RemoveProduct' }),
    {
      weight: 6,
      arbitrary: fc
        .record({
          orderId: order,
          quantity: few,
          seenPrice: fc.constantFrom(undefined, 100, 200, 50_000_000),
          address: fc.constantFrom('Dhaka', 'Khulna'),
        })
        .map(({ address, ...rest }): ProductCommand => {
          const who = { productId: hex('b'), customer: hex('c'), delivery: { ...delivery, address } };
          return { type: 'ReduceStock', ...rest, ...who, ...times };
        }),
    },
    { weight: 2, arbitrary: order.map((orderId): ProductCommand => ({ type: 'ReturnStock', orderId, quantity: 2 })) },
  );

  function modelOfProduct(): Model<ProductCommand, { status: string; stock: number; price: number }> {
    let [status, stock, price, addedWith] = ['absent', 0, 0, -1];
    /** what each order took, and where to */
    const taken = new Map<string, string>();
    return {
      seen: () => ({ status, stock, price }),
      step(command, { version, repeated }) {
        switch (command.type) {
          case 'AddProduct':
            if (status !== 'absent') return addedWith === command.quantity ? [] : 'idempotency_key_reused';
            [status, stock, price, addedWith] = ['listed', command.quantity, details.price, command.quantity];
            return ['ProductAdded'];
          case 'ChangeProduct': {
            if (status !== 'listed') return 'not_found';
            if (command.stock && command.stock.seenVersion !== version) return 'stale_version';
            const events: DomainEvent['type'][] = [];
            if (command.changes.price !== undefined && command.changes.price !== price) events.push('ProductChanged');
            if (command.stock && command.stock.quantity !== stock) events.push('StockAdjusted');
            price = command.changes.price ?? price;
            stock = command.stock?.quantity ?? stock;
            return events;
          }
          case 'RemoveProduct':
            if (status !== 'listed') return status === 'absent' ? 'not_found' : [];
            status = 'removed';
            return ['ProductRemoved'];
          case 'ReduceStock': {
            const asked = `${command.quantity} to ${command.delivery.address}`;
            if (repeated) return taken.get(command.orderId) === asked ? [] : 'idempotency_key_reused';
            if (status !== 'listed') return 'not_found';
            if (command.seenPrice !== undefined && command.seenPrice !== price) return 'price_changed';
            if (command.quantity < details.minorder || command.quantity > stock) return 'quantity_out_of_range';
            if ((price / 100) * command.quantity > 999_999) return 'total_too_large';
            taken.set(command.orderId, asked);
            stock -= command.quantity;
            return ['StockReduced'];
          }
          case 'ReturnStock':
            if (repeated) return [];
            if (status === 'absent') return 'not_found';
            stock += command.quantity;
            return ['StockReturned'];
        }
      },
    };
  }

  it('ORD2 ORD3 ORD5 CMD3 CMD6 follows a plain model, with commands in any order, and never sells what is not there', () => {
    expectToFollow(productDecider, {
      commands,
      causeOf(command, index) {
        switch (command.type) {
          case 'ReduceStock':
            return `place:${command.orderId}`;
          case 'ReturnStock':
            return `return:${command.orderId}`;
          case 'AddProduct':
            return 'add';
          default:
            return `c:${index}`;
        }
      },
      model: modelOfProduct,
      seenOf(state) {
        if (state.status === 'absent') return { status: 'absent', stock: 0, price: 0 };
        expect(state.stock).toBeGreaterThanOrEqual(0);
        return { status: state.status, stock: state.stock, price: state.details.price };
      },
    });
  });
});

describe('a user', () => {
  const userId = hex('e');
  const otherAdmins = fc.integer({ min: 0, max: 1 });
  const commands: fc.Arbitrary<UserCommand> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .record({
          uid: fc.constantFrom('u1', 'u2'),
          name: fc.constantFrom('', 'Rumi', 'Mou'),
          grantAdmin: fc.boolean(),
        })
        .map((given): UserCommand => ({ type: 'RegisterUser', userId, email: 'rumi@micro-center.test', ...given })),
    },
    fc
      .constantFrom('', '0170', '0171')
      .map((phone): UserCommand => ({ type: 'SaveProfile', userId, fields: { phone } })),
    fc.constant<UserCommand>({ type: 'GrantAdmin' }),
    otherAdmins.map((others): UserCommand => ({ type: 'RevokeAdmin', otherAdmins: others })),
    fc.constant<UserCommand>({ type: 'CloseAccount', reason: 'taken_over' }),
    fc.constant<UserCommand>({ type: 'CompleteErasure' }),
    fc
      .record({ reason: fc.constantFrom('released' as const, 'erased' as const), otherAdmins })
      .map((given): UserCommand => ({ type: 'CloseAccount', ...given })),
  );

  function modelOfUser(): Model<UserCommand, { status: string; name: string; phone: string; admin: boolean }> {
    let [status, uid, name, phone] = ['absent', '', '', ''];
    let [admin, wasAdmin, erased] = [false, false, false];
    function makeAdmin(): DomainEvent['type'] {
      [admin, wasAdmin] = [true, true];
      return 'AdminGranted';
    }
    return {
      seen: () =>
        status === 'registered' ? { status, name, phone, admin } : { status, name: '', phone: '', admin: false },
      step(command, { repeated }) {
        if (command.type === 'CompleteErasure') return erased && !repeated ? ['ErasureCompleted'] : [];
        if (status === 'closed') return command.type === 'CloseAccount' ? [] : 'account_closed';
        if (status === 'absent' && command.type !== 'RegisterUser') return 'not_found';
        const events: DomainEvent['type'][] = [];
        switch (command.type) {
          case 'RegisterUser':
            if (status === 'absent') {
              [status, uid, name] = ['registered', command.uid, command.name];
              events.push('UserRegistered');
            }
            if (command.uid !== uid) return 'other_account';
            if (command.name !== '' && command.name !== name) {
              name = command.name;
              events.push('ProfileChanged');
            }
            if (command.grantAdmin && !wasAdmin) events.push(makeAdmin());
            return events;
          case 'SaveProfile':
            if (command.fields.phone === phone) return [];
            phone = command.fields.phone ?? phone;
            return ['ProfileChanged'];
          case 'GrantAdmin':
            return admin ? [] : [makeAdmin()];
          case 'RevokeAdmin':
            if (!admin) return [];
            if (command.otherAdmins === 0) return 'last_admin';
            admin = false;
            return ['AdminRevoked'];
          case 'CloseAccount':
            if (admin && command.reason !== 'taken_over' && command.otherAdmins === 0) return 'last_admin';
            [status, erased] = ['closed', command.reason === 'erased'];
            return ['AccountClosed'];
        }
      },
    };
  }

  it('LOG3 AUTH5 follows a plain model, with commands in any order', () => {
    expectToFollow(userDecider, {
      commands,
      causeOf: ({ type }, index) => (type === 'CompleteErasure' ? 'complete' : `c:${index}`),
      model: modelOfUser,
      seenOf: (state) =>
        state.status === 'registered'
          ? { status: state.status, name: state.profile.name, phone: state.profile.phone, admin: state.admin }
          : { status: state.status, name: '', phone: '', admin: false },
    });
  });
});
