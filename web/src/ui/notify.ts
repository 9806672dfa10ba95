/** Whether this browser may show notifications: 'default' where nobody was asked yet. */
export const mayNotify = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied');

/** Shows a notification to whoever allowed that; a newer one of the same title takes its place. */
export function notify(title: string, body: string): void {
  if (mayNotify() !== 'granted') return;
  try {
    const notification = new Notification(title, { body, tag: title });
    notification.onclick = () => window.focus();
  } catch {
    // Some phones notify by a service worker alone: the page and its title say it.
  }
}
