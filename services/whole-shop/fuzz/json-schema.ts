import fc from 'fast-check';
import { z } from 'zod';
import { hostileJson, hostileText, oddNumber } from './hostile-values.ts';

/** The subset of JSON Schema that the shop's own OpenAPI document uses. */
export interface JsonSchema {
  readonly type?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[] | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
}

export const jsonSchemaSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(jsonSchemaSchema).optional(),
    properties: z.record(z.string(), jsonSchemaSchema).optional(),
    required: z.array(z.string()).optional(),
    pattern: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    exclusiveMinimum: z.number().optional(),
  }),
);

/** Generates values that fit a schema. They may still break rules that the schema doesn't express, such as Zod refinements. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting));
  switch (schema.type) {
    case 'string':
      return schema.pattern
        ? fc.stringMatching(new RegExp(schema.pattern))
        : fc.string({
            minLength: schema.minLength ?? 0,
            maxLength: Math.min(schema.maxLength ?? 50, 50),
            unit: 'grapheme',
          });
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? (schema.exclusiveMinimum ?? -1_000) + 1, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1),
      });
    case 'number':
      return fc.integer({ min: 1, max: 9_999_999 }).map((hundredths) => hundredths / 100);
    case 'boolean':
      return fc.boolean();
    case 'object':
      return fittingObject(schema);
    default:
      return hostileJson;
  }
}

function fittingObject({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fitting(schema)]));
  return fc.record(fields, { requiredKeys: [...required] });
}

/**
 * Generates objects that fit the schema except for one wrong, missing or unexpected field, and values that don't fit it
 * at all.
 */
export function misfitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.type !== 'object') return fc.oneof(hostileText, oddNumber, hostileJson);
  const names = Object.keys(schema.properties ?? {});
  const oneWrong = fc
    .tuple(fittingObject(schema), fc.constantFrom('surplus', ...names), fc.option(hostileJson, { nil: undefined }))
    .map(([value, name, odd]) => ({ ...value, [name]: odd }));
  return fc.oneof({ weight: 4, arbitrary: oneWrong }, { weight: 1, arbitrary: hostileJson });
}
