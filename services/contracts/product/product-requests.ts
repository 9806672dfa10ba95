import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { pageQuerySchema, searchSchema, short, versionSchema } from '../request-fields.ts';
import { PRODUCT_ORDERS } from '../search-text.ts';
import { productFields } from './product-form.ts';

export const productChangesSchema = z
  .object({ ...productFields, version: versionSchema })
  .partial()
  .refine((changes) => changes.quantity === undefined || changes.version !== undefined, {
    message: 'To change the quantity, send the version that you saw.',
    path: ['version'],
  });
export type ProductChanges = z.infer<typeof productChangesSchema>;

export const productQuerySchema = pageQuerySchema.extend({
  q: searchSchema,
  order: z.enum(PRODUCT_ORDERS).optional(),
  inStock: z
    .enum(['0', '1', 'true', 'false'])
    .transform((flag) => flag === '1' || flag === 'true')
    .optional(),
  stock: z.enum(['low']).optional(),
});

/** `product` is the id of the product for which to find similar products. */
export const similarQuerySchema = z.object({ product: idSchema });

export const productByNameQuerySchema = z.object({ name: short.min(1) });
