import * as z from 'zod/mini';
import { updatedSchema } from '../answers.ts';

export const userSavedSchema = z.extend(updatedSchema, { token: z.string() });
export type UserSaved = z.infer<typeof userSavedSchema>;

export const adminAnswerSchema = z.object({ admin: z.boolean() });
