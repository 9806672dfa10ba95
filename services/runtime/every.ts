/** Calls back every so many milliseconds; @returns a function that ends it. Passed in, so that tests can hold it. */
export type Every = (milliseconds: number, callback: () => void) => () => void;

/** By a timer that keeps no process alive. */
export const everyInterval: Every = (milliseconds, callback) => {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
};
