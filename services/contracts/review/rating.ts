import '../form-locale.ts';
import * as z from 'zod/mini';

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
