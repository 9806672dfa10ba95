import { configureStore } from '@reduxjs/toolkit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { makeStore } from '../app/store.ts';
import { sessionSlice, signedIn } from '../session/session-slice.ts';
import { fieldErrors, problemOf, problemText } from './problem.ts';
import { nextPath, sessionRefused, shopApi, withQuery } from './shop-api.ts';

const api = shopApi.injectEndpoints({
  endpoints: (build) => ({
    testRead: build.query<{ count: number }, void>({
      query: () => '/things',
      responseSchema: z.object({ count: z.number() }),
    }),
    testCommand: build.mutation<unknown, void>({ query: () => ({ path: '/things', method: 'POST', body: { a: 1 } }) }),
  }),
});

function shop(answer: () => Response | Promise<Response>) {
  const requests: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push({ url, init });
    return answer();
  });
  return { store: makeStore(), requests };
}
const problem = (status: number, code: string, rest: object = {}) =>
  new Response(JSON.stringify({ type: 'about:blank', title: `A ${code}.`, status, code, ...rest }), { status });

afterEach(() => vi.unstubAllGlobals());

describe('a request to the shop', () => {
  it('a command is sent as JSON with the session’s bearer token', async () => {
    const { store, requests } = shop(() => new Response('{}'));
    store.dispatch(signedIn({ token: 'tok', email: 'a@b.test', name: 'A', role: 'customer' }));
    await store.dispatch(api.endpoints.testCommand.initiate());
    const headers = new Headers(requests[0]?.init.headers);
    expect(headers.get('authorization')).toBe('Bearer tok');
    expect(headers.get('content-type')).toBe('application/json');
    expect(requests[0]?.init.body).toBe('{"a":1}');
  });

  it('the error of a rejected request contains the server’s message and its message for each invalid field', async () => {
    const errors = [{ path: 'phone', message: 'A phone number has 3 to 15 digits.' }];
    const { store } = shop(() => problem(422, 'invalid_request', { errors }));
    const { error } = await store.dispatch(api.endpoints.testCommand.initiate());
    expect(problemText(error)).toBe('A invalid_request.');
    expect(fieldErrors(error)).toEqual({ phone: 'A phone number has 3 to 15 digits.' });
  });

  it('if the server’s problem code is unknown to the client, the error shows the server’s own message', async () => {
    const { store } = shop(() => problem(400, 'made_up'));
    const { error } = await store.dispatch(api.endpoints.testCommand.initiate());
    expect(problemText(error)).toBe('A made_up.');
  });

  it.each([
    ['HTML instead of JSON', () => new Response('<h1>Bad gateway</h1>', { status: 500 }), /^The shop answered/],
    ['no response at all', () => Promise.reject(new TypeError('Failed to fetch')), /^The shop cannot be reached/],
  ])('a request that gets %s fails with a readable message', async (_case, answer, sentence) => {
    const { store } = shop(answer as () => Promise<Response>);
    const { error } = await store.dispatch(api.endpoints.testCommand.initiate());
    expect(problemText(error)).toMatch(sentence);
  });

  it('a request fails if the response does not match the expected schema', async () => {
    const { store } = shop(() => new Response('{"count":"many"}'));
    const { error } = await store.dispatch(api.endpoints.testRead.initiate());
    expect(problemText(error)).toMatch(/^The shop answered/);
  });

  it('a read is retried after a transient failure, but a command is not', async () => {
    let failures = 2;
    const read = shop(() => (failures-- > 0 ? problem(503, 'overloaded') : new Response('{"count":3}')));
    expect((await read.store.dispatch(api.endpoints.testRead.initiate())).data).toEqual({ count: 3 });
    const command = shop(() => problem(503, 'overloaded'));
    await command.store.dispatch(api.endpoints.testCommand.initiate());
    expect(command.requests).toHaveLength(1);
  });

  it('a 401 response ends the session only if the rejected token is still the current one', async () => {
    const refused: string[] = [];
    const signIn = (token: string) => signedIn({ token, email: 'a@b.test', name: 'A', role: 'customer' });
    vi.stubGlobal('fetch', async () => {
      if (renewMeanwhile) store.dispatch(signIn('new'));
      return problem(401, 'unauthenticated');
    });
    let renewMeanwhile = true;
    const store = configureStore({
      reducer: {
        shopApi: shopApi.reducer,
        session: sessionSlice.reducer,
        refused: (state: number = 0, action) => {
          if (sessionRefused.match(action)) refused.push('refused');
          return state;
        },
      },
      middleware: (defaults) => defaults().concat(shopApi.middleware),
    });
    await store.dispatch(api.endpoints.testCommand.initiate());
    store.dispatch(signIn('old'));
    await store.dispatch(api.endpoints.testCommand.initiate());
    expect(refused).toEqual([]);
    renewMeanwhile = false;
    await store.dispatch(api.endpoints.testCommand.initiate());
    expect(refused).toEqual(['refused']);
  });
});

describe('paths', () => {
  it('nextPath() reads the path of the next page from a Link header', () => {
    expect(nextPath('</orders?cursor=a%2Cb&limit=2>; rel="next"')).toBe('/orders?cursor=a%2Cb&limit=2');
    expect(nextPath('</orders>; rel="first", </orders?cursor=2>; rel="next"')).toBe('/orders?cursor=2');
    expect(nextPath('</orders>; rel="first"')).toBeNull();
    expect(nextPath(null)).toBeNull();
  });

  it('withQuery() adds a query string with only those parameters that have a value', () => {
    expect(withQuery('/individual', { email: 'a+b@c.test', status: undefined })).toBe(
      '/individual?email=a%2Bb%40c.test',
    );
    expect(withQuery('/orders', {})).toBe('/orders');
  });
});

it('problemOf() turns any error that a hook returns into a problem', () => {
  expect(problemOf(new Error('boom')).title).toMatch(/^The shop answered/);
});
