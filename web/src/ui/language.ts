/** The `lang` of text that a user typed: Bengali if the text has a Bengali letter, otherwise undefined for the page's own. */
export function languageOf(words: string): 'bn' | undefined {
  return /[\u0985-\u09b9]/.test(words) ? 'bn' : undefined;
}
