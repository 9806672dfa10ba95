/**
 * Every reason that a decider can give for refusing a command. services/http/problem-details.ts maps the reasons to
 * HTTP responses.
 */
export type Refusal =
  | { readonly code: 'not_found'; readonly id?: string }
  | { readonly code: 'idempotency_key_reused' }
  | { readonly code: 'stale_version'; readonly version: number }
  | { readonly code: 'price_changed'; readonly productId: string; readonly price: number }
  | {
      readonly code: 'quantity_out_of_range';
      readonly productId: string;
      readonly minorder: number;
      readonly stock: number;
    }
  | { readonly code: 'total_too_large'; readonly total: number }
  | { readonly code: 'too_many_unpaid_orders'; readonly most: number }
  | { readonly code: 'orders_too_fast' | 'reviews_too_fast' | 'changes_too_fast'; readonly retryAfterMs: number }
  | { readonly code: 'order_not_paid'; readonly orderId: string }
  | { readonly code: 'order_paid'; readonly orderId: string }
  | { readonly code: 'order_cancelled'; readonly orderId: string }
  | { readonly code: 'order_shipped'; readonly orderId: string }
  | { readonly code: 'order_changed'; readonly orderId: string; readonly version: number }
  | { readonly code: 'order_not_shipped' | 'shipment_final' | 'reason_required'; readonly orderId: string }
  | {
      readonly code: 'order_refunded' | 'order_disputed' | 'order_erased' | 'refund_incomplete';
      readonly orderId: string;
    }
  | { readonly code: 'refund_too_large'; readonly orderId: string; readonly left: number }
  | { readonly code: 'refund_pending'; readonly orderId: string }
  | { readonly code: 'payment_superseded'; readonly orderId: string; readonly intent: string }
  | { readonly code: 'other_account' }
  | { readonly code: 'account_closed' }
  | { readonly code: 'last_admin' };

export type RefusalCode = Refusal['code'];
