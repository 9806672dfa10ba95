import { useState } from 'react';

/** Returns the permission to show notifications. It is 'default' if the user hasn't been asked yet. */
const mayNotify = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied');

/**
 * Returns whether this browser may show notifications (`allowed`), and a function that prompts a user who hasn't been
 * asked yet (`ask`). Call `ask` only from a click.
 */
export function useNotificationPermission() {
  const [allowed, setAllowed] = useState(mayNotify);
  const ask = async () => {
    const answer = allowed === 'default' ? await Notification.requestPermission() : allowed;
    setAllowed(answer);
    return answer;
  };
  return { allowed, ask };
}

/** Shown when notifications are denied. */
export const NOTIFICATIONS_DENIED = 'This browser does not allow notifications of this shop.';

/** Shows a notification if the user allows notifications. It replaces an earlier notification with the same title. */
export function notify(title: string, body: string): void {
  if (mayNotify() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: title });
    notification.onclick = () => window.focus();
  } catch {
    // Some phones allow notifications only from a service worker. On those phones, the user learns the news only from
    // the page and its title.
  }
}
