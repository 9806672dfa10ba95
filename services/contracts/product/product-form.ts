import '../form-locale.ts';
import * as z from 'zod/mini';
import { takaSchema } from '../money.ts';

const short = z.string().check(z.trim(), z.maxLength(200));

const long = z.string().check(z.trim(), z.maxLength(4000));

const wholeNumber = z.number().check(z.int(), z.maximum(1_000_000));

const imageSchema = z.string().check(
  z.trim(),
  z.maxLength(2000),
  z.refine((address) => address === '' || /^(\/(?!\/)|https?:\/\/)/.test(address), {
    message: 'An image address begins with / or http.',
  }),
);

/** The product fields that an admin enters, with the price in taka. */
export const productFields = {
  name: short.check(z.minLength(1)),
  img1: imageSchema,
  img2: imageSchema,
  processor: short,
  gpu: short,
  rated: short,
  description: long,
  price: takaSchema,
  quantity: wholeNumber.check(z.nonnegative()),
  minorder: wholeNumber.check(z.positive()),
};

export const newProductSchema = z.object({
  ...productFields,
  img1: z._default(productFields.img1, ''),
  img2: z._default(productFields.img2, ''),
  processor: z._default(productFields.processor, ''),
  gpu: z._default(productFields.gpu, ''),
  rated: z._default(productFields.rated, ''),
  description: z._default(productFields.description, ''),
});
export type NewProduct = z.infer<typeof newProductSchema>;
