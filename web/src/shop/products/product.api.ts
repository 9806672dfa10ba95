import { productViewSchema } from '@micro-center/services/contracts/views.ts';
import * as z from 'zod/mini';
import { liveAnswer, liveEntry } from '../../live/live-document.ts';

const pathOf = (id: string) => `/products/${encodeURIComponent(id)}`;

export const productWith = (id: string) => liveEntry('product', id, pathOf(id));

/** What can be bought and is most like a product, a removed one too; a suggestion, which no push changes. */
export const productsLike = (id: string) =>
  liveAnswer('product', `/similar?product=${encodeURIComponent(id)}`, z.array(productViewSchema), () => false);
