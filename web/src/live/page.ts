/** What the live layer's thunks need from the page besides requests. A simulation provides its own. */
export interface Page {
  /** Calls `callback` once after a delay in milliseconds. @returns a function that cancels the call */
  schedule(delay: number, callback: () => void): () => void;
  isHidden(): boolean;
  /** Returns the time by a monotonic clock, in milliseconds. */
  now(): number;
}

export const BROWSER_PAGE: Page = {
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
  isHidden: () => document.visibilityState === 'hidden',
  now: () => performance.now(),
};
