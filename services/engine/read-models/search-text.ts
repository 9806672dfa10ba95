/** The maximum length of an indexed suffix, in characters. A longer search word is looked up by its prefix, and each match is checked. */
const LONGEST_ENDING = 12;
/** The character that sorts last. Any text that starts with a prefix sorts between that prefix and the prefix plus this character. */
export const LAST_CHARACTER = '\u{10FFFF}';

/**
 * Returns the distinct suffixes of all words in a search text, each truncated to `LONGEST_ENDING` characters. A search
 * word occurs in the text if a suffix starts with that word, so a prefix lookup in an index of suffixes is enough
 * (FIND1).
 */
export function wordEndings(text: string): string[] {
  const endings = new Set<string>();
  for (const word of text.split(/\s+/)) {
    const characters = [...word];
    for (const from of characters.keys()) endings.add(characters.slice(from, from + LONGEST_ENDING).join(''));
  }
  return [...endings];
}

/** Returns the prefix to look up for a search word. If `whole` is true, the prefix is the whole word and matches needn't be checked. */
export function endingPrefix(word: string): { readonly prefix: string; readonly whole: boolean } {
  const prefix = [...word.trimEnd()].slice(0, LONGEST_ENDING).join('');
  return { prefix, whole: prefix === word };
}
