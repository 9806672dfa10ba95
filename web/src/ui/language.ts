/** `lang` of words that people have typed: Bengali where a letter of it is among them, else the page's own. */
export function languageOf(words: string): 'bn' | undefined {
  return /[\u0985-\u09b9]/.test(words) ? 'bn' : undefined;
}
