import { useSyncExternalStore } from 'react';
import { formatTime } from './format.ts';
import { serverNow } from './server-clock.ts';

const MINUTE = 60_000;

/** The time in whole minutes, which all that shows an age reads from one clock. */
let minute = Math.floor(serverNow() / MINUTE);
const readers = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function read(reader: () => void) {
  readers.add(reader);
  clock ??= setInterval(() => {
    const now = Math.floor(serverNow() / MINUTE);
    if (now === minute) return;
    minute = now;
    for (const each of readers) each();
  }, 1000);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

function useMinute(): number {
  return useSyncExternalStore(read, () => minute);
}

/** How long ago, in the largest unit that it fills: 'now', '12 min', '3 h', '2 d'. */
export function ageText(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / MINUTE);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} d`;
}

/** The age of what happened at `since`, as the end of a sentence: '12 min ago', or 'just now'. */
export function Ago({ since }: { since: string }) {
  const now = Math.max(useMinute() * MINUTE, Date.parse(since));
  return (
    <>
      {ageText(since, now) === 'now' ? 'just ' : ''}
      <Age since={since} />
      {ageText(since, now) === 'now' ? '' : ' ago'}
    </>
  );
}

/** The age of what happened at `since`, which grows by itself. */
export function Age({ since }: { since: string }) {
  const now = useMinute() * MINUTE;
  return (
    <time dateTime={since} title={formatTime(since)}>
      {ageText(since, Math.max(now, Date.parse(since)))}
    </time>
  );
}
