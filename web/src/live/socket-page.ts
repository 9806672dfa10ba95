import { BROWSER_PAGE, type Page } from './page.ts';

/**
 * What the live socket and its push queue need from the page. The part that only they need isn't in `Page`, because the
 * scripts that are loaded before the home page is shown have a size budget.
 */
export interface SocketPage extends Page {
  /** Calls `callback` once before the next frame is drawn. @returns a function that cancels the call */
  frame(callback: () => void): () => void;
  /** Calls `listener` each time the page is hidden or shown. @returns a function that ends the calls */
  onVisibilityChange(listener: () => void): () => void;
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
}

export const BROWSER_SOCKET_PAGE: SocketPage = {
  ...BROWSER_PAGE,
  frame(callback) {
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
  onVisibilityChange(listener) {
    document.addEventListener('visibilitychange', listener);
    return () => document.removeEventListener('visibilitychange', listener);
  },
  random: () => Math.random(),
};
