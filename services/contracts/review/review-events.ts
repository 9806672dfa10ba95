import { z } from 'zod';
import { text } from '../event-fields.ts';
import { idSchema } from '../ids.ts';

/** The events of a review's stream. */
export const reviewEvents = {
  ReviewPosted: z.object({
    name: text,
    ratings: z.number(),
    description: text,
    person: idSchema,
    personal: z.object({ username: text }),
  }),
} as const;
