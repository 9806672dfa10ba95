import { DHAKA_OFFSET_MS, dayOf } from '@micro-center/services/contracts/dhaka-time.ts';
import { MAX_LEDGER_DAYS } from '@micro-center/services/contracts/ledger/ledger.ts';
import { useSearchParams } from 'react-router-dom';
import { useNow } from '../../ui/use-now.ts';
import type { Days, LedgerView } from './money.api.ts';

const DAY_MS = 86_400_000;
/** The periods that one click chooses, in days. Today is the last day. */
export const PRESETS = ['7', '30', '90'] as const;
const DEFAULT = '30';

/** Returns the last `count` days up to `today`. */
export const lastDays = (today: string, count: number): Days => ({
  from: new Date(Date.parse(today) - (count - 1) * DAY_MS).toISOString().slice(0, 10),
  to: today,
});

/** Today in Dhaka, such as `2026-03-01`. The component is rendered again when the day ends. */
export const useToday = (): string => dayOf(useNow((now) => Date.parse(dayOf(now)) - DHAKA_OFFSET_MS + DAY_MS));

const isDay = (text: string | null): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''));

/** Says why a period can't be shown, or null if it can. */
export function periodProblem({ from, to }: Days): string | null {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return 'The first day is after the last day.';
  return days > MAX_LEDGER_DAYS ? `Choose at most ${MAX_LEDGER_DAYS} days.` : null;
}

/** What the page's URL says to show: a number of last days (`days`), or the days `from` and `to`. */
export function useLedgerView() {
  const today = useToday();
  const [params, setParams] = useSearchParams();
  const [from, to] = [params.get('from'), params.get('to')];
  const isCustom = isDay(from) && isDay(to);
  const preset = PRESETS.find((days) => days === params.get('days')) ?? DEFAULT;
  const days: Days = isCustom ? { from, to } : lastDays(today, Number(preset));
  const view: LedgerView = { ...days, show: params.get('show') === 'open' ? 'open' : 'all' };
  const set = (change: Record<string, string | null>) =>
    setParams(
      (now) => {
        for (const [name, value] of Object.entries(change)) {
          if (value === null) now.delete(name);
          else now.set(name, value);
        }
        return now;
      },
      { preventScrollReset: true, flushSync: true },
    );
  return {
    today,
    view,
    /** one of `PRESETS`, or null if other days are chosen */
    preset: isCustom ? null : preset,
    problem: periodProblem(days),
    choosePreset: (count: string) => set({ days: count === DEFAULT ? null : count, from: null, to: null }),
    chooseDays: (change: Partial<Days>) => set({ days: null, ...days, ...change }),
    choose: (show: string) => set({ show: show === 'open' ? 'open' : null }),
  };
}
