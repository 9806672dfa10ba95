import { expect, it } from 'vitest';
import { languageOf } from './language.ts';

it.each([
  ['বাড়ি ৭, ধানমন্ডি', 'bn'],
  ['House 7, ধানমন্ডি', 'bn'],
  ['House 7, Dhanmondi', undefined],
  // The taka sign and Bengali digits alone don't make a text Bengali.
  ['৳৫০০', undefined],
  ['', undefined],
])('O9 the detected language of the text "%s" is %s', (words, language) => {
  expect(languageOf(words)).toBe(language);
});
