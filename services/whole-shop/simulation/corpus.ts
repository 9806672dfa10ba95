/**
 * Seeds that once broke a rule. `npm run simulate -- --corpus` runs them before any other seeds. A seed's run changes
 * whenever the workload changes, so a seed here finds its bug again only for a while. What lasts is the test of the unit
 * that was wrong, and a canary (canaries.ts) that puts the bug back.
 */
export const CORPUS: readonly { readonly seed: number; readonly rule: string; readonly found: string }[] = [
  { seed: 28, rule: 'PAY4', found: 'an outage of Stripe used up all idempotency keys of a refund for a day' },
  { seed: 11, rule: 'ORD7', found: 'a placement that was interrupted for minutes was finished without its slot' },
];
