import { useSelector } from 'react-redux';
import styles from './live-indicator.module.css';
import { type LiveState, selectLive } from './live-slice.ts';

const WORDS = { live: 'Live', connecting: 'Connecting', 'not-live': 'Not live' } as const;
const EXPLANATIONS = {
  live: 'This page updates automatically.',
  connecting: 'Connecting to the shop to receive updates.',
  'not-live': 'This page is not updating at the moment. It is reconnecting to the shop.',
} as const;

function lagText(lagMs: number): string {
  return lagMs < 1000 ? `${Math.round(lagMs)} ms behind` : `${(lagMs / 1000).toFixed(1)} s behind`;
}

/**
 * Shows whether the page is live, as a coloured dot and in words (LIVE4). If `figure` is true, also shows how far the
 * page lags behind, which is useful only to admins.
 */
export function LiveIndicator({ figure }: { figure: boolean }) {
  const state = useSelector((root: { live: LiveState }) => selectLive(root).state);
  return (
    <div title={EXPLANATIONS[state]} className={styles.indicator}>
      <span className={styles.dot} data-state={state} aria-hidden="true" />
      <span role="status">{WORDS[state]}</span>
      {state === 'not-live' ? <span className={styles.detail}>Reconnecting ...</span> : null}
      {state === 'live' && figure ? <Lag /> : null}
    </div>
  );
}

function Lag() {
  const lagMs = useSelector((root: { live: LiveState }) => selectLive(root).lagMs);
  return lagMs === null ? null : <span className={styles.detail}>{lagText(lagMs)}</span>;
}
