import { z } from 'zod';
import { invalidRequest, type StripeFault } from './errors.ts';

/**
 * Requests are form-encoded, so every value arrives as text. The schemas are strict: like Stripe, the simulator refuses
 * unknown parameters.
 */

export const integer = z
  .string()
  .refine((text) => /^-?[0-9]{1,15}$/.test(text), { params: { code: 'parameter_invalid_integer' }, abort: true })
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const text = z.string().min(1).max(5000);

/** An empty value removes the key. */
export const metadata = z
  .record(z.string().min(1).max(40), z.string().max(500))
  .refine((entries) => Object.keys(entries).length <= 50, 'has at most 50 keys');

const bounds = z.strictObject({ gt: integer, gte: integer, lt: integer, lte: integer }).partial();
const moment = z.union([integer.transform((at): z.output<typeof bounds> => ({ gte: at, lte: at })), bounds]);

export const noParams = z.strictObject({});

export const listParams = z.strictObject({
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: moment.optional(),
});
export type ListParams = z.output<typeof listParams>;

/** @throws `invalid_request_error` that names the first invalid parameter */
export function parseParams<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw faultOf(parsed.error.issues[0]);
}

function faultOf(issue: z.core.$ZodIssue | undefined): StripeFault {
  if (!issue) return invalidRequest('Invalid request.');
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = paramName(issue.path);
  if (issue.input === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  if (issue.input === '') {
    const message = `You passed an empty string for '${param}'. It cannot be unset.`;
    return invalidRequest(message, { code: 'parameter_invalid_empty', param });
  }
  if (issue.code === 'custom' && issue.params?.code === 'parameter_invalid_integer') {
    return invalidRequest(`Invalid integer: ${String(issue.input)}`, { code: 'parameter_invalid_integer', param });
  }
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { param });
}

function paramName(path: PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String);
  return first + rest.map((part) => `[${part}]`).join('');
}
