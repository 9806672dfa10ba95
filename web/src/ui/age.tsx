import { formatTime } from './format.ts';
import { useNow } from './use-now.ts';

const MINUTE = 60_000;

/** The time since `iso`, in the largest unit that fits: 'now', '12 min', '3 h', '2 d'. */
export function ageText(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / MINUTE);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} d`;
}

/** Returns the time since `since` as text. Rounds the current time down to the minute, so that all ages change together. */
function useAgeText(since: string): string {
  const minute = Math.floor(useNow((now) => (Math.floor(now / MINUTE) + 1) * MINUTE) / MINUTE);
  return ageText(since, minute * MINUTE);
}

/** The time since `since`, worded for the end of a sentence: '12 min ago' or 'just now'. */
export function Ago({ since }: { since: string }) {
  const isNow = useAgeText(since) === 'now';
  return (
    <>
      {isNow ? 'just ' : ''}
      <Age since={since} />
      {isNow ? '' : ' ago'}
    </>
  );
}

/** Shows how long ago `since` was, and updates automatically. */
export function Age({ since }: { since: string }) {
  return (
    <time dateTime={since} title={formatTime(since)}>
      {useAgeText(since)}
    </time>
  );
}
