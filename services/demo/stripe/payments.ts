import type { z } from 'zod';
import type { ChargeObject, DisputeObject, IntentObject, RefundObject } from './objects.ts';
import { listParams } from './params.ts';
import { type Call, listPage } from './simulation.ts';
import type { Kinds } from './store.ts';

export const listPaymentsParams = listParams.omit({ created: true });

/** A payment with everything that has happened to its money, newest first. */
export interface Payment {
  intent: IntentObject;
  charges: ChargeObject[];
  refunds: RefundObject[];
  disputes: DisputeObject[];
}

/** Returns a page of payments, newest first, for the simulator's dashboard. */
export function listPayments(call: Call, params: z.output<typeof listPaymentsParams>) {
  const page = listPage(call, 'payment_intent', params);
  return { has_more: page.has_more, payments: page.data.map((intent) => paymentOf(call, intent)) };
}

function paymentOf(call: Call, intent: IntentObject): Payment {
  const partsOf = <K extends keyof Kinds>(kind: K) =>
    call.simulation.store.list(kind, { limit: 100 }, { parent: intent.id }).data;
  return { intent, charges: partsOf('charge'), refunds: partsOf('refund'), disputes: partsOf('dispute') };
}
