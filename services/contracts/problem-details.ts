import * as z from 'zod/mini';

/**
 * The body of a refused request (RFC 9457). `errors` names the fields of an invalid request. A browser takes any `code`: a
 * page may be older than the shop that answers it.
 */
export const problemDetailsSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().check(z.int()),
  code: z.string(),
  detail: z.optional(z.string()),
  errors: z.optional(z.array(z.object({ path: z.string(), message: z.string() }))),
});
export type ProblemDetails = z.infer<typeof problemDetailsSchema>;
