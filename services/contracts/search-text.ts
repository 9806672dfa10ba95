import type { OrderView, ProductView, UserView } from './views.ts';

/** The orders of a product list beside newest and oldest first. */
export const PRODUCT_ORDERS = ['price', '-price', 'name'] as const;
/** The longest text that a list is searched for, in characters. */
export const LONGEST_SEARCH = 200;

/**
 * What a list's `q` is looked for in. Read models keep it and clients compute it from a pushed view, so that a view
 * enters a searched list exactly where the server would list it.
 */
export const searchTexts = {
  order: (id: string, { product, name, email, phone }: Pick<OrderView, 'product' | 'name' | 'email' | 'phone'>) =>
    lowered(id, product, name, email, phone),
  product: ({ name, processor, gpu, description }: Pick<ProductView, 'name' | 'processor' | 'gpu' | 'description'>) =>
    lowered(name, processor, gpu, description),
  user: ({ email, name }: Pick<UserView, 'email' | 'name'>) => lowered(email, name),
};

/** Lower-cased here, since stores differ in which letters they can lower. */
function lowered(...fields: string[]): string {
  return fields.join('\n').toLowerCase();
}

/** The words of what was typed into a search, lower-cased, each once. All of them have to occur, in any order. */
export function searchWords(typed: string): string[] {
  return [...new Set(typed.toLowerCase().split(/\s+/).filter(Boolean))];
}

/** Whether a text of `searchTexts` is found by what was typed. */
export function isFoundBy(text: string, typed: string): boolean {
  return searchWords(typed).every((word) => text.includes(word));
}
