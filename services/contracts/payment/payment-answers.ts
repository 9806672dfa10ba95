import * as z from 'zod/mini';

export const paymentIntentAnswerSchema = z.object({ clientSecret: z.string() });
export type PaymentIntentAnswer = z.infer<typeof paymentIntentAnswerSchema>;
