import type { OrderView, ProductView, UserView } from './views.ts';

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

/** Whether a text of `searchTexts` is found by `q`. */
export function isFoundBy(text: string, q: string): boolean {
  return text.includes(q.trim().toLowerCase());
}
