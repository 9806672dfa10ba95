import { Group, Text } from '@mantine/core';
import { useSelector } from 'react-redux';
import styles from './live-indicator.module.css';
import { type LiveState, selectLive } from './live-slice.ts';

const WORDS = { live: 'Live', connecting: 'Connecting', 'not-live': 'Not live' } as const;
const EXPLANATIONS = {
  live: 'Changes appear here by themselves.',
  connecting: 'Connecting to the shop to follow its changes.',
  'not-live': 'Changes do not appear by themselves at the moment. Reload to see the newest state.',
} as const;

function lagText(lagMs: number): string {
  return lagMs < 1000 ? `${Math.round(lagMs)} ms behind` : `${(lagMs / 1000).toFixed(1)} s behind`;
}

/**
 * The live dot: says in words whether the screen follows the shop (LIVE4). `figure` adds how far behind the last change it
 * was, which only admins can make use of.
 */
export function LiveIndicator({ figure }: { figure: boolean }) {
  const { state, lagMs } = useSelector((root: { live: LiveState }) => selectLive(root));
  const detail =
    state === 'not-live'
      ? 'Reload to see changes.'
      : state === 'live' && figure && lagMs !== null
        ? lagText(lagMs)
        : null;
  return (
    <Group gap={8} wrap="nowrap" title={EXPLANATIONS[state]} className={styles.indicator}>
      <span className={styles.dot} data-state={state} aria-hidden="true" />
      <Text size="sm" component="span" role="status">
        {WORDS[state]}
      </Text>
      {detail === null ? null : (
        <Text size="xs" c="dimmed" component="span" className={styles.detail}>
          {detail}
        </Text>
      )}
    </Group>
  );
}
