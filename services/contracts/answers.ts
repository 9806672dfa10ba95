import * as z from 'zod/mini';

/** The responses that all subjects share. Browsers parse them too, so the schemas use Zod Mini, which adds less code to a page than Zod. */

/** The API's responses other than views. Browsers parse them too, so the schemas use Zod Mini, which adds less code to a page than Zod. */

export const wholeNumber = z.number().check(z.int());

export const createdSchema = z.object({ acknowledged: z.literal(true), insertedId: z.string(), version: wholeNumber });
export type Created = z.infer<typeof createdSchema>;

export const updatedSchema = z.object({
  acknowledged: z.literal(true),
  matchedCount: wholeNumber,
  modifiedCount: wholeNumber,
  version: wholeNumber,
});
export type Updated = z.infer<typeof updatedSchema>;

export const deletedSchema = z.object({ acknowledged: z.literal(true), deletedCount: wholeNumber });
export type Deleted = z.infer<typeof deletedSchema>;
