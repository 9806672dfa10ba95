import * as z from 'zod/mini';
import { shopApi } from '../../api/shop-api.ts';

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

const demoApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
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

export const { useListDemoAccountsQuery, useReadDemoMailboxQuery } = demoApi;
