import { useForm } from '@mantine/form';
import { act, renderHook } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useSubmit } from './use-submit.tsx';

it('CMD3 resubmitting a form reuses the idempotency key after a failure, and uses a new key after a success', async () => {
  const keys: string[] = [];
  let fails = true;
  const send = async (_: unknown, key: string) => {
    keys.push(key);
    if (fails) throw new Error('No answer.');
  };
  const { result } = renderHook(() => useSubmit(useForm({ initialValues: {} }), { send }));
  const submit = () => act(async () => void (await result.current.submit()));
  await submit();
  fails = false;
  await submit();
  await submit();
  expect(keys).toHaveLength(3);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});

it('CMD3 a form can be submitted over plain HTTP, where browsers have no crypto.randomUUID', async () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) });
  onTestFinished(() => void vi.unstubAllGlobals());
  const keys: string[] = [];
  const send = async (_: unknown, key: string) => void keys.push(key);
  const { result } = renderHook(() => useSubmit(useForm({ initialValues: {} }), { send }));
  await act(async () => void (await result.current.submit()));
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});
