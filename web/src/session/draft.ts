import * as z from 'zod/mini';

/** What a user has entered into a form but hasn't submitted. */
const draftSchema = z.object({
  /** the changed values, by field name */
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** the Idempotency-Key of the attempts to submit the form, or null before the first attempt (CMD3) */
  key: z.nullable(z.string()),
});
export type Draft = z.infer<typeof draftSchema>;

/** The draft of a form that is open but unchanged. */
export const NEW_DRAFT: Draft = { fields: {}, key: null };

export const isUnchanged = ({ fields, key }: Draft): boolean => key === null && Object.keys(fields).length === 0;

/** Returns undefined for a draft that can't be parsed, for example because an older version of the page stored it. */
export const readDraft = (kept: unknown): Draft | undefined => draftSchema.safeParse(kept).data;
