/** The words of what was typed into a search, lower-cased, each once. All of them have to occur, in any order. */
export function searchWords(typed: string): string[] {
  return [...new Set(typed.toLowerCase().split(/\s+/).filter(Boolean))];
}

interface SearchedProduct {
  readonly name: string;
  readonly processor: string;
  readonly gpu: string;
  readonly description: string;
}

/** What the words of a product search are looked for in. */
export function productSearchText({ name, processor, gpu, description }: SearchedProduct): string {
  return [name, processor, gpu, description].join('\n').toLowerCase();
}
