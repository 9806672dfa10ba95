import { appendFileSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchFiles } from './watch-files.ts';

let folder: string;
let kept: string;
let later: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  [kept, later] = [join(folder, 'kept'), join(folder, 'later')];
  writeFileSync(kept, 'one');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Watches the files `kept` and `later`. `look` fires the timer once. */
function watching() {
  const lost: string[] = [];
  let turn = () => {};
  let ended = false;
  const end = watchFiles(
    [kept, later],
    (_milliseconds, callback) => {
      turn = callback;
      return () => {
        ended = true;
      };
    },
    (file) => lost.push(file),
  );
  return { lost, end, look: () => turn(), ended: () => ended };
}

describe("watching a running shop's files", () => {
  it('LOG6 a watched file is not reported when it is created or written to', () => {
    const { lost, look, end, ended } = watching();
    appendFileSync(kept, 'two');
    look();
    writeFileSync(later, 'one');
    look();
    look();
    expect(lost).toEqual([]);
    end();
    expect(ended()).toBe(true);
  });

  it('LOG6 a watched file is reported when it is deleted, and then the files are no longer watched', () => {
    writeFileSync(later, 'one');
    const { lost, look, ended } = watching();
    rmSync(later);
    look();
    expect([lost, ended()]).toEqual([[later], true]);
  });

  it('LOG6 a watched file is reported when another file replaces it', () => {
    const { lost, look } = watching();
    copyFileSync(kept, `${kept}.copy`);
    renameSync(`${kept}.copy`, kept);
    look();
    expect(lost).toEqual([kept]);
  });
});
