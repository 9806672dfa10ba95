import { type ClientConfig, clientConfigSchema } from '@micro-center/services/contracts/client-config.ts';
import type { UnknownAction } from 'redux';
import { shopApi } from './shop-api.ts';

/** This deployment's configuration, such as its sign-in and payment providers and whether each provider is a demo. */
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

type Dispatch = (action: UnknownAction) => unknown;

/**
 * Caches the configuration that the server wrote into the page. If the page contains none, the configuration is fetched
 * when it is first needed.
 */
export function takeWrittenConfig(dispatch: Dispatch): void {
  const value = writtenConfig();
  if (value !== null) takeConfig(dispatch, value);
}

export function takeConfig(dispatch: Dispatch, value: ClientConfig): void {
  dispatch(clientConfigApi.util.upsertQueryEntries([{ endpointName: 'getClientConfig', arg: undefined, value }]));
}
