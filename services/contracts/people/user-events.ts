import { z } from 'zod';
import { count, text } from '../event-fields.ts';
import { idSchema } from '../ids.ts';
import { CLOSE_REASONS } from './close-reasons.ts';

/** `name` comes from the identity provider. The other fields come from the user. */
export const profileFieldsSchema = z.object({ name: text, address: text, phone: text, education: text, social: text });
export type ProfileFields = z.infer<typeof profileFieldsSchema>;

/** The events of accounts, of the list of admins, and of erasures. */
export const userEvents = {
  UserRegistered: z.object({ uid: text, person: idSchema, personal: z.object({ email: text, name: text }) }),
  ProfileChanged: z.object({ person: idSchema, personal: profileFieldsSchema.partial() }),
  AdminGranted: z.object({}),
  AdminRevoked: z.object({}),
  /**
   * Appended to the single stream of admins when a person is added to the list of admins. A person may be granted the
   * admin role several times, and `grant` is the sequence number of the grant, starting at 1. Each grant is added to
   * the list and removed from it at most once.
   */
  AdminListed: z.object({ person: idSchema, grant: count }),
  AdminDelisted: z.object({ person: idSchema, grant: count }),
  AccountClosed: z.object({ reason: z.enum(CLOSE_REASONS) }),
  /**
   * appended to the streams of an erased person's orders and reviews, so that the documents of those streams are saved
   * again without personal data
   */
  PersonalDataErased: z.object({}),
  ErasureCompleted: z.object({}),
} as const;
