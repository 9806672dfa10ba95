import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type AppendResult, closableAppends } from './event-log.ts';
import { freshStream, sampleCommit } from './sample-events.fixture.ts';

it('LOG1 a log that is closing waits for appends in flight and rejects new ones', async () => {
  let answer: (result: AppendResult) => void = () => {};
  const log = closableAppends(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const appending = log.append(sampleCommit(freshStream(), 0));
  let isClosed = false;
  const closing = log.close().then(() => {
    isClosed = true;
  });
  await nextTurn();
  expect(isClosed).toBe(false);
  await expect(log.append(sampleCommit(freshStream(), 0))).rejects.toThrow('The event log is closed.');
  answer({ kind: 'appended', version: 1 });
  await closing;
  expect(await appending).toEqual({ kind: 'appended', version: 1 });
});
