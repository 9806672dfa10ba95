/**
 * Money that has left the shopper's card. `recorded`: the order has it. `late`: the shop could not be told, and learns it
 * from the provider. `given_back`: the order could not take it any more.
 */
export interface ReceivedPayment {
  transactionId: string;
  outcome: 'recorded' | 'late' | 'given_back';
}

/** What a payment tells the order's page when it leads there. */
export interface OrderPageState {
  received?: ReceivedPayment;
}
