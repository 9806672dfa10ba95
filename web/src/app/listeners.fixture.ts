import { vi } from 'vitest';

/**
 * Tracks the listeners that are added to `target` from now until mocks are restored. Returns a function that lists the
 * event types of the listeners that haven't been removed yet.
 */
export function listenersOf(target: EventTarget): () => string[] {
  const kept: { type: string; listener: unknown }[] = [];
  const add = target.addEventListener.bind(target);
  const remove = target.removeEventListener.bind(target);
  vi.spyOn(target, 'addEventListener').mockImplementation((type, listener, options) => {
    kept.push({ type, listener });
    add(type, listener, options);
  });
  vi.spyOn(target, 'removeEventListener').mockImplementation((type, listener, options) => {
    const at = kept.findIndex((one) => one.type === type && one.listener === listener);
    if (at !== -1) kept.splice(at, 1);
    remove(type, listener, options);
  });
  return () => kept.map(({ type }) => type);
}
