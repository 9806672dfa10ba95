import * as z from 'zod/mini';
import { problemDetailsSchema } from './problem-details.ts';

export const PROBLEMS = {
  malformed_json: { status: 400, title: 'The request body is not valid JSON.' },
  malformed_request: { status: 400, title: 'This request cannot be understood.' },
  invalid_signature: { status: 400, title: 'The webhook signature is not valid.' },
  invalid_webhook: { status: 400, title: 'The webhook body is not a Stripe event.' },
  unauthenticated: { status: 401, title: 'Please sign in.' },
  forbidden: { status: 403, title: 'You are not allowed to do this.' },
  other_account: { status: 403, title: 'This email belongs to another account.' },
  email_not_verified: { status: 403, title: 'Please verify your email first.' },
  not_found: { status: 404, title: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, title: 'This address does not support this method.' },
  price_changed: { status: 409, title: 'The price has changed. Check it, then order again.' },
  stale_version: { status: 409, title: 'Somebody changed this in the meantime. Check it, then save again.' },
  order_not_paid: { status: 409, title: 'This order is not paid yet.' },
  order_paid: { status: 409, title: 'This order has already been paid.' },
  order_cancelled: { status: 409, title: 'This order was cancelled.' },
  order_shipped: { status: 409, title: 'This order has already been shipped.' },
  order_refunded: { status: 409, title: 'The money for this order went back to its customer. It cannot be shipped.' },
  order_disputed: {
    status: 409,
    title: 'The bank has taken back the money for this order. It cannot be shipped or refunded now.',
  },
  order_erased: {
    status: 409,
    title: 'The data of this order’s customer was erased. It cannot be changed or shipped.',
  },
  refund_too_large: { status: 409, title: 'That is more than is left of this payment.' },
  refund_incomplete: {
    status: 409,
    title: 'An order is cancelled with a refund only if everything that is left of its payment goes back.',
  },
  refund_pending: { status: 409, title: 'Money for this order is still on its way back.' },
  payment_processing: { status: 409, title: 'Your payment is being processed.' },
  payment_not_complete: { status: 409, title: 'The payment is not complete yet.' },
  order_changed: {
    status: 409,
    title: 'This order has changed since you saw it. Check it, then ship it.',
  },
  order_not_shipped: { status: 409, title: 'This order is not shipped, or not by this shipment any more.' },
  shipment_final: { status: 409, title: 'This shipment can no longer be withdrawn: the 15 minutes are over.' },
  order_on_its_way: {
    status: 409,
    title: 'You have a paid order that has not shipped yet. You can delete your account once it has.',
  },
  last_admin: { status: 409, title: 'The shop needs at least one admin.' },
  too_many_unpaid_orders: {
    status: 409,
    title: 'You have too many unpaid orders. Pay or cancel one, then order again.',
  },
  too_many_claims: {
    status: 409,
    title: 'You are packing as many orders as one person can. Ship some, or wait two minutes.',
  },
  precondition_failed: { status: 412, title: 'This has changed since you last loaded it.' },
  payload_too_large: { status: 413, title: 'The request body is too large.' },
  unsupported_media_type: { status: 415, title: 'The request body must be JSON.' },
  range_not_satisfiable: { status: 416, title: 'There is no such part of this file.' },
  wrong_host: { status: 421, title: 'This shop is not served under that host name.' },
  invalid_request: { status: 422, title: 'Some fields are missing or not valid.' },
  quantity_out_of_range: { status: 422, title: 'Quantity does not match minimum requirements' },
  total_too_large: { status: 422, title: 'The total of one order is at most 999,999 taka.' },
  reason_required: {
    status: 422,
    title: 'Choose a reason: after 30 seconds a shipment cannot be withdrawn without one.',
  },
  total_mismatch: { status: 422, title: "The total does not match the order's." },
  amount_too_small: { status: 422, title: 'The total is too small to be paid by card.' },
  unknown_product: { status: 422, title: 'No product has this name, or several have it.' },
  payment_mismatch: { status: 422, title: 'This payment does not belong to this order.' },
  idempotency_key_reused: { status: 422, title: 'This Idempotency-Key was used for another request.' },
  orders_too_fast: { status: 429, title: 'You are ordering too fast. Wait a moment, then order again.' },
  reviews_too_fast: { status: 429, title: 'You are posting reviews too fast. Wait a moment, then post again.' },
  changes_too_fast: { status: 429, title: 'You are making changes too fast. Wait a moment, then save again.' },
  too_many_requests: { status: 429, title: 'Too many requests. Please wait a moment.' },
  internal: { status: 500, title: 'Something went wrong on our side.' },
  payment_provider_failed: { status: 502, title: 'The payment provider did not answer as expected.' },
  overloaded: { status: 503, title: 'The shop is very busy. Please try again in a moment.' },
  store_unavailable: {
    status: 503,
    title: 'The shop cannot reach its data at the moment. Please try again in a moment.',
  },
  identity_unavailable: { status: 503, title: 'Sign-in is not available at the moment.' },
  details_unavailable: {
    status: 503,
    title: 'The shop cannot read or keep your details at the moment. Please tell us.',
  },
  packing_unavailable: { status: 503, title: 'Who is packing which order cannot be shown at the moment.' },
  payment_unavailable: { status: 503, title: 'Payment is not available at the moment.' },
  shutting_down: { status: 503, title: 'The shop is restarting. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The response body of a refused request, with a code from PROBLEMS. */
export const problemSchema = z.extend(problemDetailsSchema, {
  code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
});
export type Problem = z.infer<typeof problemSchema>;
