import { expect, vi } from 'vitest';

/** Answers that the test gives when it wants to: one per call, in the order of the calls. */
export function heldFetch() {
  const calls: { path: string; answer: (body: unknown, status?: number, link?: string) => void }[] = [];
  vi.stubGlobal(
    'fetch',
    (url: string) =>
      new Promise<Response>((resolve) => {
        const { pathname, search } = new URL(url);
        calls.push({
          path: pathname + search,
          answer: (body, status = 200, link) =>
            resolve(new Response(JSON.stringify(body), { status, headers: link ? { link } : {} })),
        });
      }),
  );
  const call = async (index: number) => {
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(index));
    const found = calls[index];
    if (found === undefined) throw new Error('no such call');
    return found;
  };
  return { calls, call };
}
