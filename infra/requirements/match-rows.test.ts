import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRows, testsByRow } from './match-rows.ts';
import { titlesIn } from './read-titles.ts';

describe('the rows and their tests', () => {
  it('finds an id as a whole word, once in each title', () => {
    const rows = parseRows('# Rows\n- H1 one\n- H12 two\n- K4 three\n');
    const tests = [
      { title: 'carousel > H12 turns, H12 again', file: 'a' },
      { title: 'H1 K4 stands', file: 'b' },
      { title: 'XH1 and H123 are others', file: 'c' },
    ];
    const found = testsByRow(rows, tests);
    expect([...found].map(([id, of]) => [id, of.map(({ file }) => file)])).toEqual([
      ['H1', ['b']],
      ['H12', ['a']],
      ['K4', ['b']],
    ]);
  });

  it('rows.md lists each row once, and leaves no number out', () => {
    const ids = parseRows(readFileSync(new URL('./rows.md', import.meta.url), 'utf8')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const counted = Object.entries({
      R: 23,
      H: 9,
      B: 2,
      P: 3,
      O: 3,
      Y: 3,
      F: 1,
      V: 3,
      A: 6,
      T: 1,
      I: 6,
      C: 22,
      K: 4,
      X: 8,
    });
    const expected = counted.flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`));
    expect([...ids].sort()).toEqual(expected.sort());
  });

  it.each(['one', 'two'])('reads titles from a file as they are written: %s', () => {
    expect(titlesIn(new URL(import.meta.url).pathname)).toContain(
      'the rows and their tests > reads titles from a file as they are written: %s',
    );
  });
});
