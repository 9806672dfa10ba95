import { z } from 'zod';
import { phoneSchema } from '../phone.ts';
import { emailSchema, pageQuerySchema, searchSchema, short } from '../request-fields.ts';

/** The first request after sign-in contains only the e-mail address. A request that saves the profile contains the fields to change. */
export const userSaveSchema = z.object({
  email: emailSchema.optional(),
  address: z.string().trim().max(500).optional(),
  phone: z.union([z.literal(''), phoneSchema]).optional(),
  education: short.optional(),
  social: z.string().trim().max(500).optional(),
});
export type UserSave = z.infer<typeof userSaveSchema>;

export const userQuerySchema = pageQuerySchema.extend({ q: searchSchema });
