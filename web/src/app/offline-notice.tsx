import { useNetwork } from '@mantine/hooks';
import styles from './offline-notice.module.css';

/** Says politely that the device has no network, for as long as that is so; it lies over the page and moves nothing. */
export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div role="status" aria-label="Connection" className={styles.notice} data-shown={!online || undefined}>
      {online ? null : 'You are offline. What you see may be out of date, and nothing can be sent.'}
    </div>
  );
}
