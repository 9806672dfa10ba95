import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { faultsOfRules, missingFiles, parseRows, parseRules, testsById } from './match-rows.ts';
import { titlesIn } from './read-titles.ts';

describe('the rows and their tests', () => {
  it('testsById() matches ids only as whole words, and lists a test once even if its title repeats an id', () => {
    const rows = parseRows('# Rows\n- H1 one\n- H12 two\n- K4 three\n');
    const tests = [
      { title: 'carousel > H12 turns, H12 again', file: 'a' },
      { title: 'H1 K4 stands', file: 'b' },
      { title: 'XH1 and H123 are others', file: 'c' },
    ];
    const found = testsById(rows, tests);
    expect([...found].map(([id, of]) => [id, of.map(({ file }) => file)])).toEqual([
      ['H1', ['b']],
      ['H12', ['a']],
      ['K4', ['b']],
    ]);
  });

  it('rows.md lists each requirement once, without gaps in the numbering', () => {
    const ids = parseRows(readFileSync(new URL('./rows.md', import.meta.url), 'utf8')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const counted = Object.entries({
      R: 25,
      H: 9,
      B: 2,
      G: 5,
      P: 7,
      O: 10,
      N: 2,
      Y: 5,
      F: 1,
      V: 5,
      A: 7,
      T: 1,
      I: 7,
      D: 2,
      C: 30,
      K: 6,
      J: 2,
      W: 11,
      Q: 5,
      X: 8,
      Z: 5,
    });
    const expected = counted.flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`));
    expect([...ids].sort()).toEqual(expected.sort());
  });

  it.each(['one', 'two'])('reads titles from a file as they are written: %s', () => {
    expect(titlesIn(fileURLToPath(import.meta.url))).toContain(
      'the rows and their tests > reads titles from a file as they are written: %s',
    );
  });
});

describe('the rules and their tests', () => {
  const markdown =
    '# Rules\n\n- **LOG1** Nothing is `lost`,\n  ever.\n  `services/a.ts`\n- **CMD2** Two.\n  `web/b.ts`\n\n## More\n\nLOG7 is prose.\n';
  const rules = parseRules(markdown);
  const titled = (title: string) => ({ title, file: 'a.test.ts' });

  it('parseRules() reads each rule and the files it names, even if the rule spans several lines', () => {
    expect(rules).toEqual([
      { id: 'LOG1', words: 'Nothing is `lost`, ever.', files: ['services/a.ts'] },
      { id: 'CMD2', words: 'Two.', files: ['web/b.ts'] },
    ]);
  });

  it("testsById() finds only the tests whose titles contain a rule's id as a whole word", () => {
    expect(
      [...testsById(rules, [titled('LOG1 stands'), titled('LOG12 CMD is another')])].map(([, of]) => of.length),
    ).toEqual([1, 0]);
  });

  it('a test title with an unknown rule id is reported, but words that only look like rule ids are ignored', () => {
    const titles = ['LOG1 CMD2 stands', 'S4 RESP2 UTF8 are no rules', 'log > CMD3 is missing'].map(titled);
    expect(faultsOfRules(rules, titles)).toEqual(['a.test.ts: no rule has the id CMD3: log > CMD3 is missing']);
  });

  it('a rule is reported if it names no file, or a file that does not exist', () => {
    const [log, command] = rules;
    const bare = { ...log, files: [] } as never;
    const named = [bare, command as never];
    expect([...faultsOfRules(named, []), ...missingFiles(named, () => false)]).toEqual([
      'LOG1 names no file that keeps it.',
      'CMD2 names web/b.ts, which is not there.',
    ]);
  });

  it('RULES.md lists each rule once', () => {
    const ids = parseRules(readFileSync(new URL('../../RULES.md', import.meta.url), 'utf8')).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
