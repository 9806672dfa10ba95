import { Button, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { CardElement } from '@stripe/react-stripe-js';
import type { StripeCardElementOptions } from '@stripe/stripe-js';
import { type FormEvent, useMemo } from 'react';
import { failureOf } from '../../shop/orders/money-words.ts';
import type { ReceivedPayment } from '../../shop/orders/received-payment.ts';
import { formatTaka } from '../../ui/format.ts';
import { useKeptFocus } from '../../ui/use-kept-focus.ts';
import styles from './payment.module.css';
import { useCardPayment } from './use-card-payment.ts';

type Props = { order: OrderView; onReceived: (payment: ReceivedPayment) => void };

/**
 * The card field and the PAY button. The form works the same with Stripe's own object and with demo mode's replacement.
 */
export function PaymentForm({ order, onReceived }: Props) {
  const { paying, message, setMessage, pay } = useCardPayment(order, onReceived);
  const options = useCardOptions();
  useKeptFocus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!paying) void pay();
  };
  return (
    <form onSubmit={submit} noValidate aria-labelledby="card-payment">
      <CardElement
        className={styles.card}
        options={options}
        onChange={({ error }) => setMessage(error?.message ?? null)}
      />
      <Text role="alert" className={styles.refusal} size="sm">
        {message ?? (paying ? null : failureOf(order)?.text)}
      </Text>
      <div className={styles.pay}>
        <span className={styles.amount}>{formatTaka(order.totalPrice)}</span>
        <Button type="submit" size="md" loading={paying}>
          PAY
        </Button>
      </div>
    </form>
  );
}

/** Returns the card field's options. They include its colours, because our styles don't reach into Stripe's iframe. */
function useCardOptions(): StripeCardElementOptions {
  const dark = useComputedColorScheme('light') === 'dark';
  const { colors } = useMantineTheme();
  return useMemo(() => {
    const base = { fontSize: '16px', color: dark ? colors.dark[0] : colors.gray[9] };
    const invalid = { color: dark ? colors.red[4] : colors.red[6] };
    return { hidePostalCode: true, disableLink: true, style: { base, invalid } };
  }, [dark, colors]);
}
