import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  missingFiles,
  parseRows,
  parseRules,
  rulesWithoutFiles,
  shopRulesInDemo,
  testsById,
  unknownInText,
  unknownInTitles,
} from './match-rows.ts';
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
    '# Rules\n\n- **OWL1** Nothing is `lost`,\n  ever.\n  `services/a.ts`\n- **FOX2** Two.\n  `web/b.ts`\n\n## More\n\nOWL7 is prose.\n';
  const rules = parseRules(markdown);
  const titled = (title: string) => ({ title, file: 'a.test.ts' });

  it('parseRules() reads each rule and the files it names, even if the rule spans several lines', () => {
    expect(rules).toEqual([
      { id: 'OWL1', words: 'Nothing is `lost`, ever.', files: ['services/a.ts'] },
      { id: 'FOX2', words: 'Two.', files: ['web/b.ts'] },
    ]);
  });

  it("testsById() finds only the tests whose titles contain a rule's id as a whole word", () => {
    expect(
      [...testsById(rules, [titled('OWL1 stands'), titled('OWL12 FOX is another')])].map(([, of]) => of.length),
    ).toEqual([1, 0]);
  });

  it('an id before the sentence of a title is reported if it is not defined, but a later word like RESP2 is ignored', () => {
    const titles = ['OWL1 FOX2 stands', 'E14 OWL1 stands', 'FOX3 owls > OWL1 speaks RESP2 and UTF8', 'T7'].map(titled);
    expect(unknownInTitles(rules, titles)).toEqual([
      'a.test.ts: no rule or row has the id E14: E14 OWL1 stands',
      'a.test.ts: no rule or row has the id FOX3: FOX3 owls > OWL1 speaks RESP2 and UTF8',
      'a.test.ts: no rule or row has the id T7: T7',
    ]);
  });

  it('a word with the prefix of a rule is reported in any text if no rule has that id', () => {
    const text = '// Owls come first (OWL1, then FOX3), in UTF8 on V8.';
    expect(unknownInText(rules, [{ file: 'services/a.ts', text }])).toEqual([
      'services/a.ts: no rule has the id FOX3.',
    ]);
  });

  it('a test of the demo is reported if its title has a rule that no file of the demo keeps', () => {
    const demo = parseRules('- **OWL1** One.\n  `services/a.ts`\n- **FOX2** Two.\n  `services/demo/b.ts`\n');
    const file = 'services/demo/stripe/a.test.ts';
    const tests = [{ title: 'OWL1 FOX2 J2 stands', file }, titled('OWL1 stands')];
    expect(shopRulesInDemo(demo, tests)).toEqual([
      `${file}: no file in services/demo/ keeps OWL1, so its tests can't prove it: OWL1 FOX2 J2 stands`,
    ]);
  });

  it('a rule is reported if it names no file, or a file that does not exist', () => {
    const [log, command] = rules;
    const bare = { ...log, files: [] } as never;
    const named = [bare, command as never];
    expect([...rulesWithoutFiles(named), ...missingFiles(named, () => false)]).toEqual([
      'OWL1 names no file that keeps it.',
      'FOX2 names web/b.ts, which is not there.',
    ]);
  });

  it('RULES.md lists each rule once', () => {
    const ids = parseRules(readFileSync(new URL('../../RULES.md', import.meta.url), 'utf8')).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
