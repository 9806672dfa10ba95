import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeStore } from '../app/store.ts';
import { signedIn, signedOut } from '../session/session-slice.ts';
import { clientConfigApi, takeWrittenConfig } from './client-config.ts';

const LIVE = { stripe: { mode: 'live', publishableKey: 'pk_live_0' }, firebase: { mode: 'live', config: {} } };

function writeIntoPage(text: string): void {
  const element = document.createElement('script');
  element.type = 'application/json';
  element.id = 'client-config';
  element.textContent = text;
  document.head.append(element);
}

/**
 * Returns a store, a function that reads the store's cached configuration, and the paths of the requests that were
 * sent.
 */
function open() {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    calls.push(new URL(address).pathname);
    return new Response(JSON.stringify(LIVE));
  });
  const store = makeStore();
  takeWrittenConfig(store.dispatch);
  return { store, calls, known: () => clientConfigApi.endpoints.getClientConfig.select()(store.getState()).data };
}

describe('the client configuration embedded in the page', () => {
  afterEach(() => {
    document.getElementById('client-config')?.remove();
    vi.unstubAllGlobals();
  });

  it('AUTH4 an embedded configuration is available without a request, and is still available after a sign-out', async () => {
    writeIntoPage(JSON.stringify(LIVE));
    const { store, calls, known } = open();
    expect(known()).toEqual(LIVE);
    await store.dispatch(clientConfigApi.endpoints.getClientConfig.initiate());
    store.dispatch(signedIn({ token: 'tok', email: 'a@b.test', name: 'A', role: 'customer' }));
    store.dispatch(signedOut({ reason: 'by-user' }));
    expect(known()).toEqual(LIVE);
    expect(calls).toEqual([]);
  });

  it.each(['', '{"stripe":1}', 'no JSON'])(
    'AUTH4 the configuration is fetched if the page embeds the invalid configuration %j',
    async (text) => {
      writeIntoPage(text);
      const { store, calls, known } = open();
      expect(known()).toBeUndefined();
      await store.dispatch(clientConfigApi.endpoints.getClientConfig.initiate());
      expect(known()).toEqual(LIVE);
      expect(calls).toEqual(['/config.json']);
    },
  );
});
