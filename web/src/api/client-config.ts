import { type ClientConfig, clientConfigSchema } from '@micro-center/services/contracts/answers.ts';
import { shopApi } from './shop-api.ts';

/** What this deployment is: which providers stand behind sign-in and payment, and whether it is a demo. */
export const clientConfigApi = shopApi.injectEndpoints({
  endpoints: (build) => ({
    getClientConfig: build.query<ClientConfig, void>({
      query: () => '/config.json',
      responseSchema: clientConfigSchema,
      keepUnusedDataFor: Number.POSITIVE_INFINITY,
    }),
  }),
});

export const { useGetClientConfigQuery } = clientConfigApi;
