import { MantineProvider } from '@mantine/core';
import { PROBLEMS, type ProblemCode } from '@micro-center/services/contracts/problems.ts';
import type { ViewKind, Views } from '@micro-center/services/contracts/views.ts';
import { act, cleanup, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router-dom';
import { vi } from 'vitest';
import { takePushes } from '../live/follow.ts';
import { type MemoryIdentity, memoryIdentity } from '../session/memory-identity.fixture.ts';
import { createSessionKeeper, SessionProvider } from '../session/session-keeper.ts';
import { toast } from '../ui/toasts.tsx';
import { type AppStore, makeStore } from './store.ts';

interface Request {
  url: URL;
  method: string;
  body: unknown;
  bearer: string | null;
  /** the request's Idempotency-Key */
  key: string | null;
}
type Answer = (request: Request) => unknown;

export const json = (body: unknown) => new Response(JSON.stringify(body), { status: 200 });

export function problem(code: ProblemCode, detail?: string): Response {
  const { status, title } = PROBLEMS[code];
  return new Response(JSON.stringify({ type: 'about:blank', title, status, code, detail }), { status });
}

const ADMIN = 'admin@micro-center.test';

/**
 * The default responses: every sign-in gets a token, there is one admin and one demo account, and there are no products
 * or reviews.
 */
const ANSWERS: Record<string, Answer> = {
  'GET /config.json': () => ({
    stripe: { mode: 'demo', publishableKey: 'pk_test_0' },
    firebase: { mode: 'demo', projectId: 'demo-shop', apiKey: 'demo' },
  }),
  'GET /demo-accounts.json': () => [
    { email: 'rina@micro-center.test', password: 'good-password', name: 'Rina Akter', role: 'customer' },
  ],
  'GET /demo-mailbox': () => [],
  'GET /products': () => [],
  'GET /reviews': () => [],
  'PUT /users/:id': ({ bearer }) => ({
    acknowledged: true,
    matchedCount: 1,
    modifiedCount: 0,
    version: 1,
    token: `api-token for ${bearer}`,
  }),
  'GET /admin/:id': ({ url }) => ({ admin: url.pathname.endsWith(encodeURIComponent(ADMIN)) }),
};

/**
 * Stubs `fetch`. `answers` maps a method and path, such as 'GET /products', to a response that replaces the default.
 * Returns an array that records each call's method and path.
 */
export function stubShop(answers: Record<string, Answer> = {}): string[] {
  const calls: string[] = [];
  const known = { ...ANSWERS, ...answers };
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address);
    const method = init.method ?? 'GET';
    calls.push(`${method} ${url.pathname}`);
    const answer = known[`${method} ${url.pathname}`] ?? known[`${method} ${url.pathname.replace(/[^/]+$/, ':id')}`];
    if (answer === undefined) return problem('not_found');
    const headers = new Headers(init.headers);
    const bearer = headers.get('authorization')?.replace('Bearer ', '') ?? null;
    const key = headers.get('idempotency-key');
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const answered = await answer({ url, method, body, bearer, key });
    return answered instanceof Response ? answered : json(answered);
  });
  return calls;
}

let motionReduced = false;

/** Simulates a user who prefers reduced motion, until closeApp() is called. */
export function reduceMotion(): void {
  motionReduced = true;
}

/** Stubs the layout and scrolling APIs that jsdom doesn't implement. */
export function stubLayout(): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: motionReduced && query.includes('prefers-reduced-motion'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  vi.stubGlobal('scrollTo', () => {});
  Element.prototype.scrollIntoView = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
}

/** Delivers this view to `store`, as a push from the server would. */
export function push<K extends ViewKind>(store: AppStore, kind: K, view: Views[K]): void {
  act(() => store.dispatch(takePushes([{ kind, id: view._id, version: view.version, view }])));
}

/** Unmounts everything that the test has rendered, and removes the test's stubs and stored data. */
export function closeApp(): void {
  // Unmounting a page doesn't remove its toasts.
  toast.remove();
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  motionReduced = false;
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

/** Renders `routes` with a real store, a real session keeper and an in-memory identity provider. */
export function showApp(routes: RouteObject[], at = '/', identity: MemoryIdentity = memoryIdentity()) {
  stubLayout();
  const store = makeStore();
  const keeper = createSessionKeeper({ store, loadIdentity: async () => identity, storage: localStorage });
  const stop = keeper.start();
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const view = render(
    <Provider store={store}>
      <SessionProvider value={keeper}>
        <MantineProvider env="test">
          <RouterProvider router={router} />
        </MantineProvider>
      </SessionProvider>
    </Provider>,
  );
  return { store, keeper, router, identity, view, stop };
}
