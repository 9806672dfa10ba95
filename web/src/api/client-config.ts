import { type ClientConfig, clientConfigSchema } from '@micro-center/services/contracts/answers.ts';
import type { UnknownAction } from 'redux';
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

function writtenConfig(): ClientConfig | null {
  try {
    const parsed = clientConfigSchema.safeParse(
      JSON.parse(document.getElementById('client-config')?.textContent ?? ''),
    );
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Takes the configuration that the shop has written into the page; in a page without it, it is fetched when asked for. */
export function takeWrittenConfig(dispatch: (action: UnknownAction) => unknown): void {
  const value = writtenConfig();
  if (value === null) return;
  dispatch(clientConfigApi.util.upsertQueryEntries([{ endpointName: 'getClientConfig', arg: undefined, value }]));
}
