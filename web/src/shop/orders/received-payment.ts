/**
 * A payment that was taken from the shopper's card. `recorded`: the order is marked as paid. `late`: the payment isn't
 * recorded yet, and the shop will learn of it from the provider. `given_back`: the order could no longer accept the payment.
 */
export interface ReceivedPayment {
  transactionId: string;
  outcome: 'recorded' | 'late' | 'given_back';
}

/** The navigation state that the payment page passes to the order's page. */
export interface OrderPageState {
  received?: ReceivedPayment;
}
