import type { Page } from '@playwright/test';

/** Adds up the layout shifts of every document that the page loads from now on, except those caused by user input. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counted = Object.assign(window, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
        if (!hadRecentInput) counted.shifts += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** The sum of the current document's layout shifts so far. */
export const shiftsOf = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shifts: number }).shifts);
