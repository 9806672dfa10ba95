import { plainText } from './plain-text.ts';
import type { OrderView, ProductView, UserView } from './views.ts';

export const PRODUCT_ORDERS = ['price', '-price', 'name'] as const;
export const LONGEST_SEARCH = 200;

/** Of Bangladesh, before a number that begins with 0 at home. Without its plus it needs more of the number to be told. */
const COUNTRY_CODE = /^(?:\+88(?=0)|88(?=01))/;
const ORDER_NUMBER = /^mc-(\d{4,}|x[0-9a-z]{7})$/;

/** Every product is a casing, alone or with a build in it, whatever its own text says. */
const CATEGORY = 'casing case chassis';

/** Raise it with every change of what a text is made of: read models then make the texts again that an older version saved. */
export const SEARCH_TEXT_VERSION = 2;

type SearchedOrder = Pick<OrderView, 'number' | 'product' | 'name' | 'email' | 'phone' | 'address'>;

/** The text that `q` is searched in. Read models store it and clients compute it from a pushed view, so both find the same. */
export const searchTexts = {
  order: (id: string, { number, product, name, email, phone, address }: SearchedOrder) =>
    lowered(id, number, product, name, email, phone, address),
  product: ({ name, processor, gpu, description }: Pick<ProductView, 'name' | 'processor' | 'gpu' | 'description'>) =>
    lowered(name, processor, gpu, description, CATEGORY),
  user: ({ email, name }: Pick<UserView, 'email' | 'name'>) => lowered(email, name),
};

/** Lower-cased here, since stores differ in which letters they lower. */
function lowered(...fields: string[]): string {
  return withWholeNumbers(plainText(fields.join('\n')).toLowerCase());
}

/**
 * The distinct words of a query, all of which have to occur. 'mid-tower' is two words; a plural loses its s. An order's number is
 * one word, with its hyphen or without; with it, it ends as its field does: MC-1008 is not found by what MC-10080 says. A phone
 * number is found with the country's code, whether its order has the code or not.
 */
export function searchWords(typed: string): string[] {
  const words = plainText(typed)
    .toLowerCase()
    .split(/\s+/)
    .flatMap((word) => (ORDER_NUMBER.test(word) ? `${withWholeNumbers(word)}\n` : withWholeNumbers(word).split('-')))
    .map((word) => word.replace(COUNTRY_CODE, ''))
    .filter(Boolean);
  return [...new Set(words.map(singular))];
}

function withWholeNumbers(text: string): string {
  return text.replace(/\bmc-(?=\d{4}|x[0-9a-z]{7}\b)/g, 'mc');
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

export function isFoundBy(text: string, typed: string): boolean {
  return searchWords(typed).every((word) => text.includes(word));
}
