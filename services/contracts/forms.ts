import { en } from 'zod/locales';
import * as z from 'zod/mini';
import { takaSchema } from './money.ts';
import { plainText } from './plain-text.ts';

/**
 * These schemas use Zod Mini because forms in the browser use them too. Zod Mini has no error messages until a locale
 * is configured.
 */
z.config(en());

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

/** Removes a leading plus, spaces and punctuation: '+880 1711-000000' becomes '8801711000000'. */
export const phoneSchema = z.string().check(
  z.trim(),
  z.overwrite((phone) => plainText(phone).replace(/^\+|[\s().\-/]/g, '')),
  z.regex(/^[0-9]{3,15}$/, 'A phone number has 3 to 15 digits.'),
);

const RATING_MESSAGE = 'Enter rating between 1 to  5';

export const ratingSchema = z
  .union(
    [
      z.number(),
      z.pipe(
        z.string().check(z.trim(), z.regex(/^[0-9]+(\.[0-9]+)?$/)),
        z.transform((text: string) => Number(text)),
      ),
    ],
    { error: RATING_MESSAGE },
  )
  .check(z.refine((rating) => rating > 0 && rating <= 5, { message: RATING_MESSAGE }));
