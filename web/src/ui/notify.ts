import { useState } from 'react';

/** Whether this browser may show notifications: 'default' where nobody was asked yet. */
const mayNotify = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied');

/** Whether this browser may show notifications, and what asks where nobody was asked yet: to be called by a click alone. */
export function useNotificationPermission() {
  const [allowed, setAllowed] = useState(mayNotify);
  const ask = async () => {
    const answer = allowed === 'default' ? await Notification.requestPermission() : allowed;
    setAllowed(answer);
    return answer;
  };
  return { allowed, ask };
}

/** Said where they are denied. */
export const NOTIFICATIONS_DENIED = 'This browser does not allow notifications of this shop.';

/** Shows a notification if the user has allowed that. A newer one with the same title replaces it. */
export function notify(title: string, body: string): void {
  if (mayNotify() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: title });
    notification.onclick = () => window.focus();
  } catch {
    // Some phones notify by a service worker alone: the page and its title say it.
  }
}
