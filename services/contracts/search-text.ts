import type { OrderView, ProductView, UserView } from './views.ts';

/** The orders of a product list beside newest and oldest first. */
export const PRODUCT_ORDERS = ['price', '-price', 'name'] as const;
/** The longest text that a list is searched for, in characters. */
export const LONGEST_SEARCH = 200;

/** What every product is, whatever its own words call it: a casing, alone or with a build in it. */
const CATEGORY = 'casing case chassis';

/**
 * What a list's `q` is looked for in. Read models keep it and clients compute it from a pushed view, so that a view
 * enters a searched list exactly where the server would list it.
 */
export const searchTexts = {
  order: (id: string, { product, name, email, phone }: Pick<OrderView, 'product' | 'name' | 'email' | 'phone'>) =>
    lowered(id, product, name, email, phone),
  product: ({ name, processor, gpu, description }: Pick<ProductView, 'name' | 'processor' | 'gpu' | 'description'>) =>
    lowered(name, processor, gpu, description, CATEGORY),
  user: ({ email, name }: Pick<UserView, 'email' | 'name'>) => lowered(email, name),
};

/** Lower-cased here, since stores differ in which letters they can lower. */
function lowered(...fields: string[]): string {
  return fields.join('\n').toLowerCase();
}

/**
 * The words of what was typed into a search, lower-cased, each once. All of them have to occur, in any order. 'mid-tower' is
 * two words, and a plural is looked for without its s, which finds both.
 */
export function searchWords(typed: string): string[] {
  const words = typed
    .toLowerCase()
    .split(/[\s-]+/)
    .filter(Boolean);
  return [...new Set(words.map(singular))];
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

/** Whether a text of `searchTexts` is found by what was typed. */
export function isFoundBy(text: string, typed: string): boolean {
  return searchWords(typed).every((word) => text.includes(word));
}
