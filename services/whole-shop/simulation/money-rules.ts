import type { RecordedEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import { ledgerRows } from '../../shop/ledger/ledger-rows-flow.ts';
import { hasFailed, isBarred, isTaken, moneyOf, sumOf } from './order-money.ts';
import type { SimulatedShop } from './simulated-shop.ts';
import type { Site } from './site.ts';

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;
type Stripe = Site['providers']['stripe'];

/** The number of failed refunds after which a person has to return the money manually. */
export const MAX_REFUNDS = 3;

/**
 * Checks each payment intent in Stripe against its order. Each charge must be recorded as a payment or refunded, exactly
 * once and in full.
 */
export function checkMoney(streams: Streams, stripe: Stripe): string[] {
  const found: string[] = [];
  const refunds = stripe.refunds();
  for (const { payment_intent: intent, paid, amount, metadata } of stripe.charges()) {
    const made = refunds.filter((one) => one.payment_intent === intent && !hasFailed(one));
    if (sumOf(made) > amount) found.push(`intent ${intent} was refunded more than it was charged`);
    if (!paid) continue;
    const events = streams.get(streamName('order', String(metadata?.orderId))) ?? [];
    const last = events.findLast(({ type, data }) => type in ENDS && 'intent' in data && data.intent === intent);
    const end = ENDS[last?.type as keyof typeof ENDS] as (typeof ENDS)[keyof typeof ENDS] | undefined;
    const back = sumOf(made.filter(({ status }) => status === 'succeeded'));
    if (end === undefined) found.push(`intent ${intent} was charged and its order does not know it`);
    if (end === 'abandoned') found.push(`intent ${intent} is abandoned in the log and was charged`);
    if (end === 'refunded' && back !== amount)
      found.push(`intent ${intent} is refunded in the log, and ${back} of ${amount} at Stripe`);
    for (const { grant, amount: most } of moneyOf(events).grants) {
      const ofGrant = made.filter((one) => one.metadata?.grant === grant);
      if (sumOf(ofGrant) > most) found.push(`PAY8 Stripe refunded more than was granted of intent ${intent}`);
    }
  }
  return found;
}

/** What the last event about a payment intent says about it. A failed refund is due again. */
const ENDS = {
  PaymentRecorded: 'paid',
  PaymentAbandoned: 'abandoned',
  RefundDue: 'due',
  RefundFailed: 'due',
  PaymentRefunded: 'refunded',
} as const;

/**
 * Returns one sentence for each thing that Stripe says about an order's payment and the order doesn't know yet, and for
 * each grant that Stripe could still pay.
 */
export function openMoney(streams: Streams, stripe: Stripe): string[] {
  return [...streams].flatMap(([stream, events]) => {
    const money = moneyOf(events);
    const { intent, paid, grants, refunds, disputes } = money;
    if (intent === null) return [];
    const found: string[] = [];
    const atStripe = stripe.refunds().filter((one) => one.payment_intent === intent);
    for (const { id, status } of atStripe) {
      const known = refunds.get(id)?.status;
      if (known !== (status === 'requires_action' ? 'pending' : status))
        found.push(`PAY6 refund ${id} of ${stream} is ${status} at Stripe and ${known ?? 'unknown'} in the log`);
    }
    for (const dispute of stripe.disputes()) {
      if (dispute.payment_intent !== intent) continue;
      const known = disputes.get(dispute.id);
      const moves = Number(known?.withdrawn ?? false) + Number(known?.reinstated ?? false);
      if (known?.status !== dispute.status || moves !== dispute.balance_transactions.length)
        found.push(`PAY9 dispute ${dispute.id} of ${stream} is not as Stripe states it`);
    }
    const alive = atStripe.filter((one) => !hasFailed(one));
    if (isTaken(money) || isBarred(money) || sumOf(alive) >= paid) return found;
    let [unmade, givenUp] = [0, 0];
    for (const { grant, amount } of grants) {
      const own = atStripe.filter((one) => one.metadata?.grant === grant);
      const rest = amount - sumOf(own.filter((one) => !hasFailed(one)));
      if (own.filter(hasFailed).length < MAX_REFUNDS) unmade += rest;
      else givenUp += rest;
    }
    // A refund in the dashboard may have covered a part of what was granted.
    if (unmade > 0 && paid - sumOf(alive) > givenUp) found.push(`PAY8 ${unmade} of ${stream} was granted and not made`);
    return found;
  });
}

/** Returns true if all refunds of an intent have failed, so that the ledger rightly says that the rest is still due. */
function isLeftToAPerson(events: readonly RecordedEvent[], intent: string | null): boolean {
  const about = events.filter(({ type, data }) => type in ENDS && 'intent' in data && data.intent === intent);
  const failures = about.filter(({ type }) => type === 'RefundFailed').length;
  return failures >= MAX_REFUNDS && about.at(-1)?.type === 'RefundFailed';
}

/** Returns one sentence for each row of the ledger that doesn't match, and for each balance transaction that isn't recorded once. */
export async function checkLedger(
  streams: Streams,
  { world, providers: { stripe } }: Site,
  { stores: { readModels, eventsOf, sealing } }: SimulatedShop,
): Promise<string[]> {
  const recorded = new Map<string, number[]>();
  for (const event of [...streams.values()].flat()) {
    if (event.type !== 'BalanceRecorded') continue;
    const { transaction, net } = event.data;
    recorded.set(transaction, [...(recorded.get(transaction) ?? []), net]);
  }
  const found = stripe.balances().flatMap(({ id, net }) => {
    const nets = recorded.get(id) ?? [];
    return nets.length === 1 && nets[0] === net
      ? []
      : [`LEDGER1 balance transaction ${id} is recorded ${nets.length} times`];
  });
  const source = {
    readModels,
    eventsOf: async (id: string) => eventsOf(streamName('order', id)).map(sealing.openBare),
  };
  for await (const rows of ledgerRows(source, { from: '', to: '~' }, world.time.now())) {
    for (const { id, state, causes, order, intent } of rows) {
      const events = streams.get(streamName('order', order?.id ?? '')) ?? [];
      const isRight = stripe.unlike.has(intent ?? '') ? state === 'open' : state === 'matched';
      if (!isRight && !isLeftToAPerson(events, intent))
        found.push(`LEDGER2 row ${id} of the ledger is ${state}: ${JSON.stringify(causes)}`);
    }
  }
  return found;
}
