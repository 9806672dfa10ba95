import { adminAnswerSchema, type UserSaved, userSavedSchema } from '@micro-center/services/contracts/answers.ts';
import * as z from 'zod/mini';
import { shopApi } from '../api/shop-api.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const demoAccountSchema = z.object({
  email: z.string(),
  password: z.string(),
  name: z.string(),
  role: z.enum(['admin', 'customer']),
});
export type DemoAccount = z.infer<typeof demoAccountSchema>;

const demoMailSchema = z.union([
  z.object({ email: z.string(), kind: z.enum(['verification', 'reset']), link: z.url() }),
  z.object({ email: z.string(), kind: z.literal('order'), link: z.url(), subject: z.string(), text: z.string() }),
]);
export type DemoMail = z.infer<typeof demoMailSchema>;

/**
 * The requests for signing in. `openSession` and `checkAdmin` set their own bearer token, because the session starts
 * only after both requests have succeeded.
 */
export const authApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    /** Exchanges the provider's ID token for the API's access token. */
    openSession: build.mutation<UserSaved, { email: string; idToken: string }>({
      query: ({ email, idToken }) => ({
        path: `/users/${encodeURIComponent(email)}`,
        method: 'PUT',
        body: { email },
        headers: bearer(idToken),
      }),
      responseSchema: userSavedSchema,
    }),
    /** Whether this user is an admin. The response isn't cached, because roles can change. */
    checkAdmin: build.mutation<{ admin: boolean }, { email: string; token: string }>({
      query: ({ email, token }) => ({ path: `/admin/${encodeURIComponent(email)}`, headers: bearer(token) }),
      responseSchema: adminAnswerSchema,
    }),
    /** The accounts that visitors can use to sign in to the demo shop. */
    listDemoAccounts: build.query<DemoAccount[], void>({
      query: () => '/demo-accounts.json',
      responseSchema: z.array(demoAccountSchema),
      keepUnusedDataFor: Number.POSITIVE_INFINITY,
    }),
    /** The newest e-mails that the shop would have sent if it weren't a demo. */
    readDemoMailbox: build.query<DemoMail[], void>({
      query: () => '/demo-mailbox',
      responseSchema: z.array(demoMailSchema),
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useListDemoAccountsQuery, useReadDemoMailboxQuery } = authApi;
