import { z } from 'zod';
import { streamNameSchema } from './ids.ts';
import { ledgerEvents } from './ledger/ledger-events.ts';
import { mailEvents } from './mail/mail-events.ts';
import { allowanceEvents } from './order/allowance-events.ts';
import { orderEvents } from './order/order-events.ts';
import { paymentEvents } from './payment/payment-events.ts';
import { userEvents } from './people/user-events.ts';
import { productEvents } from './product/product-events.ts';
import { reviewEvents } from './review/review-events.ts';

/** The value that replaces a personal field once the person's key has been erased. */
export const ERASED = 'erased';

/**
 * The unsealed data of each event type. In the log, `personal` is sealed with the key of the user whose id is `person`
 * (LOG3).
 */
export const eventDataSchemas = {
  ...productEvents,
  ...allowanceEvents,
  ...orderEvents,
  ...paymentEvents,
  ...ledgerEvents,
  ...mailEvents,
  ...userEvents,
  ...reviewEvents,
} as const;

export type EventType = keyof typeof eventDataSchemas;
export type EventData<T extends EventType> = z.infer<(typeof eventDataSchemas)[T]>;

export type DomainEvent<T extends EventType = EventType> = { [K in T]: { type: K; data: EventData<K> } }[T];

/**
 * The newest schema version of each event type. A type that isn't listed has version 1. No released version of the shop
 * wrote version 1 of `StockReduced` and `OrderPlaced`.
 */
export const SCHEMA_VERSIONS: Partial<Record<EventType, number>> = { StockReduced: 2, OrderPlaced: 2, StripeRead: 2 };

/**
 * `personal` as stored in the log: the names of the fields, and their values in one AES-256-GCM box (base64 of nonce,
 * tag and ciphertext).
 */
export const sealedSchema = z.object({ fields: z.array(z.string()), box: z.string() });
export type Sealed = z.infer<typeof sealedSchema>;

/** The CloudEvents 1.0 attributes and our extensions. */
export const eventAttributesSchema = z.object({
  id: z.string().min(1),
  source: z.string().min(1),
  type: z.string().min(1),
  subject: streamNameSchema,
  /** ISO 8601 time at which the command was sent */
  time: z.iso.datetime(),
  /** the event's position in its stream, counted from 1 without gaps */
  streamversion: z.number().int().positive(),
  schemaversion: z.number().int().positive(),
  /** identifies, within the stream, the command that produced the event, e.g. `place:<orderId>` */
  cause: z.string().min(1),
  correlationid: z.string().min(1),
  /** a user id, or `system:<policy>` */
  actor: z.string().min(1),
});
export type EventAttributes = z.infer<typeof eventAttributesSchema>;

/** An event as stored in the log and sent on the feed. Its personal data is still sealed, and `data` isn't parsed yet. */
export const storedEventSchema = eventAttributesSchema.extend({
  data: z.record(z.string(), z.unknown()),
});
export type StoredEvent = z.infer<typeof storedEventSchema>;

export type RecordedEvent<T extends EventType = EventType> = Omit<EventAttributes, 'type'> & DomainEvent<T>;
