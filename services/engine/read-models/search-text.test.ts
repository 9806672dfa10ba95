import { expect, it } from 'vitest';
import { endingPrefix, wordEndings } from './search-text.ts';

/**
 * Words whose characters have one, two or more UTF-16 code units. Some words are shorter than the longest indexed
 * suffix, and some are longer.
 */
const CHARACTERS = ['a', 'ট', '\u{1F4BB}', '\u{1F5A5}\u{FE0F}', 'e\u0301'];
const words = CHARACTERS.flatMap((one) =>
  CHARACTERS.flatMap((other) => [5, 11, 15].map((count) => (one + other).repeat(count))),
);

it("FIND1 looking up any part of a word finds one of the word's indexed endings, whatever characters the word contains", () => {
  for (const word of words) {
    const endings = wordEndings(word);
    const characters = [...word];
    for (const from of characters.keys()) {
      for (const to of [from + 1, from + 2, from + 11, from + 12, from + 13, characters.length]) {
        const part = characters.slice(from, to).join('');
        const { prefix, whole } = endingPrefix(part);
        expect(
          endings.some((ending) => ending.startsWith(prefix)),
          `${part} of ${word}`,
        ).toBe(true);
        expect(part.startsWith(prefix) && whole === (part === prefix)).toBe(true);
      }
    }
  }
});

it('FIND1 no indexed ending or search prefix splits a surrogate pair, because a store would return half a pair as a different character', () => {
  const halves = /\p{Surrogate}/u;
  for (const word of words) {
    expect(wordEndings(word).filter((ending) => halves.test(ending))).toEqual([]);
    expect(endingPrefix(word).prefix).not.toMatch(halves);
  }
});

it('FIND1 wordEndings() returns every ending of each word, down to the last character, without duplicates', () => {
  expect(wordEndings('tower tower').toSorted()).toEqual(['er', 'ower', 'r', 'tower', 'wer']);
});
