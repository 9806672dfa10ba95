/** The `lang` attribute of text that a user typed. Undefined means the page's own language. */
export function languageOf(words: string): 'bn' | undefined {
  return /[\u0985-\u09b9]/.test(words) ? 'bn' : undefined;
}
