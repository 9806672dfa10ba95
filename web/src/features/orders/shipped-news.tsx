import { Button, Text } from '@mantine/core';
import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { NOTIFICATIONS_DENIED, notify, useNotificationPermission } from '../../ui/notify.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';

/**
 * The time limit for undoing a shipment without a reason, in milliseconds after the order was shipped (ORD11). The
 * customer isn't notified until this time has passed.
 */
const UNDONE_WITHIN_MS = 30_000;

/**
 * Shows the order's number in the tab's title once the order has loaded. If the order ships while the page is open and
 * stays shipped for half a minute, also notifies the customer, provided that they have allowed notifications (O7).
 */
export function useShippedNews(order: OrderView | undefined): void {
  const { number, product, quantity } = order ?? {};
  const shipped = order ? order.shippedAt !== null : null;
  usePageTitle(number === undefined ? 'Order' : shipped ? `Shipped - ${number}` : `Order ${number}`);
  const before = useRef(shipped);
  useEffect(() => {
    const news = shipped && before.current === false;
    before.current = shipped;
    if (!news) return;
    const timer = setTimeout(
      () => notify(`Order ${number} is shipped`, `${quantity} × ${product} is on its way.`),
      UNDONE_WITHIN_MS,
    );
    return () => clearTimeout(timer);
  }, [shipped, number, quantity, product]);
}

/** Offers to notify the customer when the order ships. The browser asks for permission only after a click. */
export function NotifyMe() {
  const { allowed, ask } = useNotificationPermission();
  if (allowed !== 'default') {
    return (
      <Text size="sm" c="dimmed">
        {allowed === 'granted'
          ? 'A notification tells you when it ships, while this page is open.'
          : NOTIFICATIONS_DENIED}
      </Text>
    );
  }
  return (
    <Button variant="default" leftSection={<IconBell size={18} aria-hidden="true" />} onClick={ask}>
      Notify me when it ships
    </Button>
  );
}
