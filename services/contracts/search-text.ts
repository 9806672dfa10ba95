import type { OrderView } from './order/order-view.ts';
import type { UserView } from './people/user-view.ts';
import { plainText } from './plain-text.ts';
import type { ProductView } from './product/product-view.ts';

export const PRODUCT_ORDERS = ['price', '-price', 'name'] as const;
export const LONGEST_SEARCH = 200;

/**
 * Matches the +88 of Bangladesh's country code (+880). The 0 isn't matched, because local numbers start with it too.
 * Without the plus sign, 88 is matched only before 01.
 */
const COUNTRY_CODE = /^(?:\+88(?=0)|88(?=01))/;
const ORDER_NUMBER = /^mc-\d{4,}$/;

/** Words added to every product's search text. Every product is a computer case, even if its own text doesn't say so. */
const CATEGORY = 'casing case chassis';

type SearchedOrder = Pick<OrderView, 'number' | 'product' | 'name' | 'email' | 'phone' | 'address'>;

/**
 * Functions that return a document's searchable text. Read models store this text, and clients compute the same text
 * from pushed views. Searches on the server and in clients therefore find the same results. With every change to a
 * text, raise the version of the declaration that uses it, so that stored texts are computed again.
 */
export const searchTexts = {
  order: (id: string, { number, product, name, email, phone, address }: SearchedOrder) =>
    lowered(id, number, product, name, email, phone, address),
  product: ({ name, processor, gpu, description }: Pick<ProductView, 'name' | 'processor' | 'gpu' | 'description'>) =>
    lowered(name, processor, gpu, description, CATEGORY),
  user: ({ email, name }: Pick<UserView, 'email' | 'name'>) => lowered(email, name),
};

/** Joins fields into a search text. The text is lower-cased here because some stores can lower-case only certain letters. */
function lowered(...fields: string[]): string {
  return withWholeNumbers(plainText(fields.join('\n')).toLowerCase());
}

/**
 * Returns the distinct words of a query. A text matches if it contains all of them. 'mid-tower' is split into two
 * words, and a plural loses its s. An order number is one word, with or without its hyphen. If it's typed with the
 * hyphen, it has to match the whole number, so MC-1008 doesn't find MC-10080. A phone number typed with the country
 * code also finds orders whose phone number lacks the code.
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
  return text.replace(/\bmc-(?=\d{4})/g, 'mc');
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

export function isFoundBy(text: string, typed: string): boolean {
  return searchWords(typed).every((word) => text.includes(word));
}
