import type { AnyDocument } from '../../contracts/documents.ts';
import { orderNumberOf } from '../../contracts/order-number.ts';
import { searchTexts } from '../../contracts/search-text.ts';

/**
 * What a list's `q` is looked for in; '' for documents whose list is not searched. Always well-formed: a store hands half of
 * a surrogate pair back as another text, which an index would then not find to take out.
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

/** The longest ending that is kept, in characters: longer words are found by their first ones, and then looked at. */
const LONGEST_ENDING = 12;
/** Sorts after every other: what begins with a prefix lies between it and the prefix with this character added. */
export const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Every ending of every word of a search text, each once, cut to `LONGEST_ENDING` characters. What is searched for is part of a
 * text where an ending begins with it, so an index of endings finds it as it finds a prefix (FIND1).
 */
export function wordEndings(text: string): string[] {
  const endings = new Set<string>();
  for (const word of text.split(/\s+/)) {
    const characters = [...word];
    for (const from of characters.keys()) endings.add(characters.slice(from, from + LONGEST_ENDING).join(''));
  }
  return [...endings];
}

/** What an ending begins with where a searched word occurs; `whole` where that is the word itself, so nothing is left to check. */
export function endingPrefix(word: string): { readonly prefix: string; readonly whole: boolean } {
  const prefix = [...word.trimEnd()].slice(0, LONGEST_ENDING).join('');
  return { prefix, whole: prefix === word };
}
