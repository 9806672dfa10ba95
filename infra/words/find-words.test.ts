import { expect, it } from 'vitest';
import { findWords } from './find-words.ts';

const wordsIn = (text: string) => findWords(text).map(({ line, words }) => `${line} ${words}`);

it('findWords() returns each banned word with its line number and a suggested replacement', () => {
  expect(findWords('One line.\nWhoever asks begins anew.')).toEqual([
    { line: 2, words: 'Whoever', instead: "'anyone who', 'the user who' or 'the caller'" },
    { line: 2, words: 'anew', instead: "'again' or 'from scratch'" },
  ]);
});

it('findWords() finds a banned phrase even if a comment splits it across two lines', () => {
  expect(wordsIn('/**\n * A boundary stays one for\n * ever.\n */')).toEqual(['2 for ever']);
  expect(wordsIn('// Nothing here holds\n// up a writer.')).toEqual(['1 holds up']);
});

it('findWords() ignores allowed words and phrases that only resemble banned ones', () => {
  const fine = 'A renewed lease, forever. None of which hangs. So many that it fails. Medians, taken in turns. lest_';
  expect(wordsIn(fine)).toEqual([]);
});
