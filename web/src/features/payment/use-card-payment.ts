import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentIntentResult } from '@stripe/stripe-js';
import { useRef, useState } from 'react';
import { hasProblemCode, mayPass, problemText } from '../../api/problem.ts';
import { useWhenBack } from '../../live/use-when-back.ts';
import type { ReceivedPayment } from '../../shop/orders/received-payment.ts';
import { useCreatePaymentIntentMutation, useRecordPaymentMutation } from './payment.api.ts';

interface CardPayment {
  paying: boolean;
  /** a message about a problem with the card or the payment, or null if there is no problem */
  message: string | null;
  /** Sets `message` to the card field's validation error while the shopper types, or to null if there is none. */
  setMessage: (message: string | null) => void;
  pay: () => Promise<void>;
}

const NOT_COMPLETED = 'Your payment was not completed. Please try again.';

/** Pays for an order with the card in the form's card field, and reports the payment to the shop. */
export function useCardPayment(order: OrderView, onReceived: (payment: ReceivedPayment) => void): CardPayment {
  const stripe = useStripe();
  const elements = useElements();
  const [createIntent] = useCreatePaymentIntentMutation();
  const [recordPayment] = useRecordPaymentMutation();
  const [paying, setPaying] = useState(false);
  const [message, setMessage] = useState<string | null>(null);
  /** Whether the message is about a temporary failure. If so, the message is cleared once the page is live again. */
  const passing = useRef(false);
  useWhenBack(() => {
    if (passing.current) setMessage(null);
  });

  async function charge(): Promise<PaymentIntentResult | { refused: string }> {
    const card = elements?.getElement(CardElement);
    if (!stripe || !card) return { refused: NOT_COMPLETED };
    const intent = await createIntent({ orderId: order._id, totalPrice: order.totalPrice });
    if (intent.error) {
      passing.current = mayPass(intent.error);
      return { refused: problemText(intent.error) };
    }
    return stripe.confirmCardPayment(intent.data.clientSecret, {
      payment_method: { card, billing_details: { name: order.name, email: order.email } },
    });
  }

  async function record(transactionId: string): Promise<ReceivedPayment['outcome']> {
    const recorded = await recordPayment({ order: order._id, transactionId });
    if (!recorded.error) return 'recorded';
    const taken = hasProblemCode(recorded.error, 'order_paid') || hasProblemCode(recorded.error, 'order_cancelled');
    return taken ? 'given_back' : 'late';
  }

  async function pay(): Promise<void> {
    setPaying(true);
    setMessage(null);
    passing.current = false;
    try {
      const result = await charge();
      if ('refused' in result) return setMessage(result.refused);
      // If the response to an earlier attempt was lost, that attempt's payment may have succeeded. Stripe then rejects
      // the new attempt, and its error contains the payment intent that succeeded.
      const intent = result.paymentIntent ?? result.error.payment_intent;
      if (intent?.status === 'succeeded') {
        onReceived({ transactionId: intent.id, outcome: await record(intent.id) });
      } else if (intent?.status === 'processing') {
        // The shop answers that the payment isn't complete, but then knows that it's being processed.
        await record(intent.id);
        onReceived({ transactionId: intent.id, outcome: 'processing' });
      } else {
        passing.current = result.error?.type === 'api_connection_error';
        setMessage(result.error?.message ?? NOT_COMPLETED);
      }
    } catch {
      passing.current = true;
      setMessage(NOT_COMPLETED);
    } finally {
      setPaying(false);
    }
  }

  return { paying, message, setMessage, pay };
}
