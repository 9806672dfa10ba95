import { useForm } from '@mantine/form';
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useSubmit } from './use-submit.tsx';

it('CMD3 a form that is sent again after a failure is the same request, and after a success another one', async () => {
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
