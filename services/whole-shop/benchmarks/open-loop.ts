/** The result of an operation, and the time at which the operation was due to start. */
export interface Begun<T> {
  readonly due: number;
  readonly result: T;
}

/**
 * Starts `perSecond` operations per second for `seconds`, whether or not earlier operations have finished. Callers
 * should measure latency from `due`, so that it includes any delay in starting. Resolves once all operations have
 * finished.
 */
export async function openLoop<T>(
  perSecond: number,
  seconds: number,
  begin: (n: number) => Promise<T>,
): Promise<Begun<T>[]> {
  const total = Math.round(perSecond * seconds);
  const began = performance.now();
  const running: Promise<Begun<T>>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      while (running.length < total && began + (running.length * 1_000) / perSecond <= performance.now()) {
        const due = began + (running.length * 1_000) / perSecond;
        running.push(begin(running.length).then((result) => ({ due, result })));
      }
      if (running.length < total) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  return Promise.all(running);
}

/**
 * Keeps `atOnce` operations in flight for `seconds`. Returns the time that each operation took, in ms, and the number
 * of operations finished per second.
 */
export async function closedLoop(
  atOnce: number,
  seconds: number,
  work: (n: number) => Promise<unknown>,
): Promise<{ readonly took: readonly number[]; readonly perSecond: number }> {
  const took: number[] = [];
  const began = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - began < seconds * 1_000) {
        const at = performance.now();
        await work(next++);
        took.push(performance.now() - at);
      }
    }),
  );
  return { took, perSecond: (took.length * 1_000) / (performance.now() - began) };
}
