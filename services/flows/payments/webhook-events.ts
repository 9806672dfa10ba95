/** The events that end an intent. */
export const INTENT_EVENTS = ['payment_intent.succeeded', 'payment_intent.canceled'] as const;
/** The events that say what became of a refund. */
export const REFUND_EVENTS = ['refund.updated', 'refund.failed'] as const;
/** What a shop's endpoint asks Stripe for (`enabled_events`). */
export const WEBHOOK_EVENTS: readonly string[] = [...INTENT_EVENTS, ...REFUND_EVENTS];
