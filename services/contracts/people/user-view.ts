import * as z from 'zod/mini';
import { isoTime, version } from '../view-fields.ts';

export const userViewSchema = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['admin', 'customer']),
  address: z.string(),
  phone: z.string(),
  education: z.string(),
  social: z.string(),
  registeredAt: isoTime,
  version,
});
export type UserView = z.infer<typeof userViewSchema>;
