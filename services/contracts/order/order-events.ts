import { z } from 'zod';
import { count } from '../event-fields.ts';
import { idSchema } from '../ids.ts';
import { CANCEL_REASONS } from './cancel-reasons.ts';
import { carrierSchema, trackingNumberSchema } from './carriers.ts';
import { deliverySchema, orderDraftSchema } from './order-draft.ts';
import { WITHDRAWAL_REASONS } from './order-reasons.ts';

/** The events of an order's stream, without those about its money. */
export const orderEvents = {
  OrderPlaced: z.object({ draft: orderDraftSchema, person: idSchema, personal: deliverySchema }),
  /** the delivery fields that the customer or an admin corrected after the order was placed */
  DeliveryChanged: z.object({
    person: idSchema,
    personal: deliverySchema.pick({ phone: true, address: true }).partial(),
  }),
  /** `shippedAt` is the start of the period in which the shipment can be withdrawn. */
  OrderShipped: z.object({ shippedAt: z.iso.datetime() }),
  /**
   * `shipment` is the sequence number of the withdrawn shipment, starting at 1. After this event, the order's status is
   * 'paid' again.
   */
  ShipmentWithdrawn: z.object({ shipment: count, reason: z.enum(WITHDRAWAL_REASONS).nullable() }),
  /** the carrier and tracking number of a shipment; a later event for the same shipment overrides this one */
  ParcelRecorded: z.object({ shipment: count, carrier: carrierSchema, trackingNumber: trackingNumberSchema }),
  /** `generation` is the sequence number of the order's tracking link, starting at 1 (TRACK2) */
  TrackingShared: z.object({ generation: count }),
  TrackingWithdrawn: z.object({ generation: count }),
  OrderCancelled: z.object({ reason: z.enum(CANCEL_REASONS), productId: idSchema, quantity: count }),
} as const;
