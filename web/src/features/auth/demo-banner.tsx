import { UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import styles from './demo-banner.module.css';
import { DemoMailbox } from './demo-mailbox.tsx';

/** Tells everyone on every page that this shop is a demo, and leads to the mails that it would have sent. */
export function DemoBanner() {
  const { data: config } = useGetClientConfigQuery();
  const [mailboxOpen, setMailboxOpen] = useState(false);
  if (config === undefined) return null;
  if (config.stripe.mode !== 'demo' && config.firebase.mode !== 'demo') return null;
  return (
    <div className={styles.banner}>
      <span>Demo shop: no real money, no real goods.</span>{' '}
      <UnstyledButton className={styles.open} onClick={() => setMailboxOpen(true)}>
        Open the demo mailbox
      </UnstyledButton>
      <DemoMailbox opened={mailboxOpen} onClose={() => setMailboxOpen(false)} />
    </div>
  );
}
