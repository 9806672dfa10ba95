/**
 * A payment that was taken from the shopper's card. `recorded` means that the order is marked as paid. `late` means
 * that the payment isn't recorded yet, and that the shop will learn of it from the provider. `given_back` means that
 * the payment will be refunded, because the order had already been paid or cancelled. `processing` means that the
 * provider is still processing the payment, which may still fail.
 */
export interface ReceivedPayment {
  transactionId: string;
  outcome: 'recorded' | 'late' | 'given_back' | 'processing';
}

/** The navigation state that the payment page passes to the order's page. */
export interface OrderPageState {
  received?: ReceivedPayment;
}
