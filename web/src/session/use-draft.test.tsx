import { act, renderHook } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refusal } from '../api/problem.ts';
import { problem } from '../app/app.fixture.tsx';
import { makeStore } from '../app/store.ts';
import { useDraftForm, useOpenForm } from './use-draft.ts';

afterEach(() => sessionStorage.clear());

/** Returns a function that shows a form. All forms that it shows have the same store. */
function visits(send: (values: unknown, key: string) => Promise<void>) {
  const store = makeStore();
  return () =>
    renderHook(() => useDraftForm('note', { initialValues: { text: '' } }, { send }), {
      wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
    });
}

describe('a form with a draft', () => {
  it('CMD3 resubmitting a form reuses the idempotency key after a failure, and uses a new key after a success', async () => {
    const keys: string[] = [];
    let fails = true;
    const { result } = visits(async (_, key) => {
      keys.push(key);
      if (fails) throw new Error('No answer.');
    })();
    const submit = () => act(async () => void (await result.current.submit()));
    await submit();
    fails = false;
    await submit();
    await submit();
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[1]);
  });

  it('P5 CMD3 the values and the idempotency key survive leaving the page, until the form has been submitted', async () => {
    const sent: { values: unknown; key: string }[] = [];
    const open = visits(async (values, key) => {
      sent.push({ values, key });
      if (sent.length === 1) throw new Error('No answer.');
    });
    const first = open();
    act(() => first.result.current.form.setFieldValue('text', 'Scratched'));
    await act(async () => void (await first.result.current.submit()));
    first.unmount();
    const second = open();
    expect(second.result.current.form.values).toEqual({ text: 'Scratched' });
    await act(async () => void (await second.result.current.submit()));
    second.unmount();
    const third = open();
    expect(third.result.current.form.values).toEqual({ text: '' });
    await act(async () => void (await third.result.current.submit()));
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]?.key).not.toBe(sent[0]?.key);
  });

  it('CMD3 if an earlier attempt with other values was carried out, the next attempt has a new key', async () => {
    const keys: string[] = [];
    const reused = refusal(422, await problem('idempotency_key_reused').json());
    const { result } = visits(async (_, key) => {
      keys.push(key);
      throw reused;
    })();
    await act(async () => void (await result.current.submit()));
    await act(async () => void (await result.current.submit()));
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('CMD3 a form can be submitted over plain HTTP, where browsers have no crypto.randomUUID', async () => {
    const { crypto } = globalThis;
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
    onTestFinished(() => void vi.unstubAllGlobals());
    const keys: string[] = [];
    const { result } = visits(async (_, key) => void keys.push(key))();
    await act(async () => void (await result.current.submit()));
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  it('P5 a form that a button has opened is still open when the user comes back, and closed once it was closed', () => {
    const store = makeStore();
    const open = () =>
      renderHook(() => useOpenForm('delivery'), {
        wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
      });
    const first = open();
    expect(first.result.current[0]).toBe(false);
    act(() => first.result.current[1](true));
    first.unmount();
    const second = open();
    expect(second.result.current[0]).toBe(true);
    act(() => second.result.current[1](false));
    expect(second.result.current[0]).toBe(false);
  });
});
