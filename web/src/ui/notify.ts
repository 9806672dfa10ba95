import { useState } from 'react';

/** Returns the notification permission state, which is 'default' if the user hasn't been asked yet. */
const mayNotify = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied');

/**
 * Returns the notification permission state (`allowed`), and a function that prompts a user who hasn't been asked yet
 * (`ask`). Call `ask` only in response to a click.
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
export const NOTIFICATIONS_DENIED = 'This browser does not allow notifications from this shop.';

/** Shows a notification if the user allows notifications. It replaces an earlier notification with the same title. */
export function notify(title: string, body: string): void {
  if (mayNotify() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: title });
    notification.onclick = () => window.focus();
  } catch {
    // Some phones allow notifications only from a service worker. On those phones, only the page and its title show the
    // news.
  }
}
