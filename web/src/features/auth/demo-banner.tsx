import { UnstyledButton } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { useGetClientConfigQuery } from '../../api/client-config.ts';
import { loadChunk } from '../../ui/load-chunk.ts';
import styles from './demo-banner.module.css';
import type { DemoMailboxProps } from './demo-mailbox.tsx';

const OPEN_TO_OTHERS = 'Others can reach it, read every mail and sign in as its admin: enter nothing real.';

/** Says on every page that this shop is a demo, and has a button that opens the demo mailbox. */
export function DemoBanner() {
  const { data: config } = useGetClientConfigQuery();
  const [mailbox, setMailbox] = useState<{ Dialog: ComponentType<DemoMailboxProps> } | null>(null);
  const [opened, setOpened] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // Render the dialog closed first and open it in an effect. If the dialog were open on its first render, closing it
  // wouldn't return the focus to the button.
  useEffect(() => setOpened(mailbox !== null), [mailbox]);
  if (config === undefined) return null;
  if (config.stripe.mode !== 'demo' && config.firebase.mode !== 'demo') return null;

  async function open() {
    try {
      const { DemoMailbox } = await loadChunk('mailbox', () => import('./demo-mailbox.tsx'));
      setMailbox({ Dialog: DemoMailbox });
      setProblem(null);
    } catch {
      setProblem('The mailbox could not be loaded. Check your connection and try again.');
    }
  }

  return (
    <div className={styles.banner} data-public={config.demoPublic || undefined}>
      <span>Demo shop: no real money, no real goods.</span> {config.demoPublic ? <span>{OPEN_TO_OTHERS}</span> : null}{' '}
      <UnstyledButton className={styles.open} onClick={() => void open()}>
        Open the demo mailbox
      </UnstyledButton>
      {problem === null ? null : <div role="alert">{problem}</div>}
      {mailbox === null ? null : <mailbox.Dialog opened={opened} onClose={() => setOpened(false)} />}
    </div>
  );
}
