import * as z from 'zod/mini';

/**
 * The response body of a refused request (RFC 9457). `errors` lists the invalid fields. Browsers also accept problem
 * codes that they don't know, because an open page may be older than the server.
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
