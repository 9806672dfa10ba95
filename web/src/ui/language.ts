/**
 * Returns the `lang` attribute for text that a user typed: 'bn' if the text contains a Bengali letter, or undefined for
 * the page's own language.
 */
export function languageOf(words: string): 'bn' | undefined {
  return /[\u0985-\u09b9]/.test(words) ? 'bn' : undefined;
}
