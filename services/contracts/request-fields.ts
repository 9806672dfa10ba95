import { z } from 'zod';
import { LONGEST_SEARCH } from './search-text.ts';

export const short = z.string().trim().max(200);
export const long = z.string().trim().max(4000);
export const wholeNumber = z.number().int().max(1_000_000);
export const versionSchema = z.number().int().positive();

export const emailSchema = z.string().trim().toLowerCase().max(254).pipe(z.email());
export const idempotencyKeySchema = z.string().min(1).max(200);
export const noteSchema = z.string().trim().max(500);

const SORTS = ['oldest', 'newest'] as const;

/** The maximum number of rows on a page. A larger `limit` is reduced to this number. */
const MAX_PAGE = 1000;
export const pageQuerySchema = z.object({
  limit: z.coerce
    .number()
    .int()
    .positive()
    .default(MAX_PAGE)
    .transform((limit) => Math.min(limit, MAX_PAGE)),
  /** 2,000 characters are enough for a base64-encoded cursor whose sort key has 200 escaped characters. */
  cursor: z.string().max(2000).optional(),
  sort: z.enum(SORTS).default('oldest'),
});

export const searchSchema = z.string().trim().max(LONGEST_SEARCH).optional();
