import { z } from 'zod';
import { idSchema } from '../../contracts/ids.ts';
import {
  DISPUTE_EVENTS,
  INTENT_EVENTS,
  type Known,
  type PaymentMeta,
  type Payments,
  REFUND_EVENTS,
  type RecordedOutcome,
  type SettleOutcome,
  WEBHOOK_EVENTS,
} from './payments.ts';

const name = z.string().min(1).max(255);
const intentId = z.string().regex(/^pi_[A-Za-z0-9_]{1,200}$/);
const named = z.object({ orderId: idSchema.optional().catch(undefined) });
const disputeId = z.string().regex(/^(dp|du)_[A-Za-z0-9_]{1,200}$/);

/**
 * Parses a Stripe event. `about` says what the event concerns, `object` is the id of the payment intent or dispute, and
 * `orderId` is the order that the payment intent names.
 */
export const stripeEventSchema = z.union([
  z
    .object({
      id: name,
      type: z.enum(INTENT_EVENTS),
      data: z.object({ object: z.object({ id: intentId, metadata: named.nullish() }) }),
    })
    .transform(({ id, type, data: { object } }) => {
      return { id, type, about: 'payment', object: object.id, orderId: object.metadata?.orderId } as const;
    }),
  z
    .object({
      id: name,
      type: z.enum(REFUND_EVENTS),
      data: z.object({ object: z.object({ payment_intent: intentId.nullable() }) }),
    })
    .transform(({ id, type, data }) => ({ id, type, about: 'refunds', object: data.object.payment_intent }) as const),
  z
    .object({ id: name, type: z.enum(DISPUTE_EVENTS), data: z.object({ object: z.object({ id: disputeId }) }) })
    .transform(({ id, type, data }) => ({ id, type, about: 'dispute', object: data.object.id }) as const),
  z
    .object({ id: name, type: name.refine((type) => !WEBHOOK_EVENTS.includes(type)) })
    .transform((event) => ({ ...event, about: 'nothing', object: null }) as const),
]);
export type StripeEvent = z.infer<typeof stripeEventSchema>;

/** What a Stripe event or a balance transaction is about. */
export interface Concern {
  readonly about: StripeEvent['about'];
  readonly object: string | null;
}

export type EventSettling = Pick<Payments, 'settle' | 'settleRefunds' | 'settleDispute'>;

/**
 * Records what a Stripe event is about. It makes no difference whether the event came by webhook or was read from
 * Stripe's list of events. Returns null if the event concerns nothing that the shop records.
 * @throws PaymentUnavailable, PaymentProviderFailed, StoreUnavailable
 */
export async function settleEvent(
  { settle, settleRefunds, settleDispute }: EventSettling,
  { about, object }: Concern,
  { meta, known }: { readonly meta: PaymentMeta; readonly known?: Known | undefined },
): Promise<SettleOutcome | RecordedOutcome | null> {
  if (object === null) return null;
  if (about === 'dispute') return settleDispute(object, meta);
  return about === 'refunds' ? settleRefunds(object, meta) : settle(object, meta, known);
}
