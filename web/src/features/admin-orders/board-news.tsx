import { Button } from '@mantine/core';
import { useDocumentVisibility, useLocalStorage } from '@mantine/hooks';
import { IconBell, IconBellOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { NOTIFICATIONS_DENIED, notify, useNotificationPermission } from '../../ui/notify.ts';
import { usePageTitle } from '../../ui/page-heading.tsx';
import styles from './manage-orders-page.module.css';
import { useBoardCounts } from './use-board-figures.ts';

/** Whether notifications of orders to deliver are switched on in this browser. */
const useWanted = () =>
  useLocalStorage({ key: 'boardNotifications', defaultValue: false, getInitialValueInEffect: false });

/**
 * Counts the orders to deliver that arrive while the page is hidden, and shows the count in the tab's title. Also sends
 * notifications about these orders if notifications are on. Renders nothing. It's a separate component only so that new
 * counts don't rerender the page.
 */
export function BoardNews() {
  const toDeliver = useBoardCounts(undefined)?.paid;
  const [wanted] = useWanted();
  const isSeen = useDocumentVisibility() === 'visible';
  const [unseen, setUnseen] = useState(0);
  const before = useRef(toDeliver);
  usePageTitle(unseen === 0 ? 'Manage Orders' : `(${unseen}) Manage Orders`);
  useEffect(() => {
    const more = (toDeliver ?? 0) - (before.current ?? toDeliver ?? 0);
    before.current = toDeliver;
    if (more <= 0 || document.visibilityState === 'visible') return;
    setUnseen((count) => count + more);
    if (wanted) notify(more === 1 ? 'A new order to deliver' : `${more} new orders to deliver`, `${toDeliver} in all.`);
  }, [toDeliver, wanted]);
  useEffect(() => {
    if (isSeen) setUnseen(0);
  }, [isSeen]);
  return null;
}

/** Switches this board's notifications on and off. Asks the browser for permission on the first click, never before. */
export function NotifyButton({ className }: { className: string | undefined }) {
  const [wanted, setWanted] = useWanted();
  const { allowed, ask } = useNotificationPermission();
  if (allowed === 'denied') {
    // This text is as short as the button that it replaces, so that the toolbar stays on one line.
    return (
      <span className={`${className} ${styles.figure}`} title={NOTIFICATIONS_DENIED}>
        Notifications blocked
      </span>
    );
  }
  const on = wanted && allowed === 'granted';
  const Icon = on ? IconBell : IconBellOff;
  return (
    <Button
      className={className}
      size="xs"
      variant="default"
      aria-pressed={on}
      leftSection={<Icon size={16} aria-hidden="true" />}
      onClick={async () => setWanted((await ask()) === 'granted' && !on)}
    >
      Notify me
    </Button>
  );
}
