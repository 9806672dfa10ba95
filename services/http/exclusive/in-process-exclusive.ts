import { type Exclusive, ExclusiveUnavailable } from './exclusive.ts';

/** Work alone among all that this one process does: one queue for each name. */
export function createInProcessExclusive(): Exclusive {
  const lastOf = new Map<string, Promise<void>>();
  let closed = false;

  function assertOpen(name: string): void {
    if (closed) throw new ExclusiveUnavailable(`${name} was not begun: the process is stopping.`);
  }

  return {
    async run(name, work) {
      assertOpen(name);
      const turn = (lastOf.get(name) ?? Promise.resolve()).then(() => {
        assertOpen(name);
        return work();
      });
      const forget = () => {
        if (lastOf.get(name) === ended) lastOf.delete(name);
      };
      const ended = turn.then(forget, forget);
      lastOf.set(name, ended);
      return turn;
    },
    async close() {
      closed = true;
      await Promise.all(lastOf.values());
    },
  };
}
