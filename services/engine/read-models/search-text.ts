import type { AnyDocument } from '../../contracts/documents.ts';
import { orderNumberOf } from '../../contracts/order-number.ts';
import { searchTexts } from '../../contracts/search-text.ts';

/**
 * Returns the text in which a list's `q` is searched, or '' for documents whose list has no search. The text is always
 * well-formed Unicode. A store would return half of a surrogate pair as different text, so the index entry could not be
 * found again when it has to be removed.
 */
export function searchText(document: AnyDocument): string {
  return textOf(document).replace(/\p{Surrogate}/gu, '\ufffd');
}

function textOf(document: AnyDocument): string {
  switch (document.kind) {
    case 'order':
      return searchTexts.order(document.id, { ...document, number: orderNumberOf(document) });
    case 'product':
      return searchTexts.product(document);
    case 'user':
      return searchTexts.user(document);
    case 'review':
    case 'mail':
      return '';
    default:
      return document satisfies never;
  }
}

/** The longest indexed ending, in characters. Longer words are looked up by their first characters and then checked. */
const LONGEST_ENDING = 12;
/** The character that sorts last. Text that starts with a prefix sorts between the prefix and the prefix plus this character. */
export const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Returns the distinct endings of all words in a search text, each cut to `LONGEST_ENDING` characters. A searched word
 * is part of the text if an ending starts with it, so a prefix lookup in an index of endings finds it (FIND1).
 */
export function wordEndings(text: string): string[] {
  const endings = new Set<string>();
  for (const word of text.split(/\s+/)) {
    const characters = [...word];
    for (const from of characters.keys()) endings.add(characters.slice(from, from + LONGEST_ENDING).join(''));
  }
  return [...endings];
}

/** Returns the prefix to look up for a searched word. `whole` is true if the prefix is the whole word, so matches needn't be checked. */
export function endingPrefix(word: string): { readonly prefix: string; readonly whole: boolean } {
  const prefix = [...word.trimEnd()].slice(0, LONGEST_ENDING).join('');
  return { prefix, whole: prefix === word };
}
