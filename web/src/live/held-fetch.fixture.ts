import { expect, vi } from 'vitest';

interface HeldCall {
  path: string;
  headers: Headers;
  answer: (body: unknown, status?: number, link?: string, headers?: Record<string, string>) => void;
}

/**
 * Stubs `fetch`. Each request stays pending until the test provides its response. `call` waits until the request with
 * the given index has been made, and then returns that request.
 */
export function heldFetch() {
  const calls: HeldCall[] = [];
  vi.stubGlobal(
    'fetch',
    (url: string, init: RequestInit = {}) =>
      new Promise<Response>((resolve) => {
        const { pathname, search } = new URL(url);
        calls.push({
          path: pathname + search,
          headers: new Headers(init.headers),
          answer: (body, status = 200, link, more = {}) =>
            resolve(
              new Response(status === 304 ? null : JSON.stringify(body), {
                status,
                headers: link ? { ...more, link } : more,
              }),
            ),
        });
      }),
  );
  const call = async (index: number) => {
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(index));
    const found = calls[index];
    if (found === undefined) throw new Error(`call ${index} has not been made`);
    return found;
  };
  return { calls, call };
}
