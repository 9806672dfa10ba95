import { z } from 'zod';
import { noteSchema } from '../request-fields.ts';
import { MAX_LEDGER_DAYS } from './ledger.ts';

const dayText = z.iso.date();
const MAX_MONTHS_IN_DAYS = 1_100;
const DAY_MS = 86_400_000;
const daysOf = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

const isPeriod = (most: number) => (query: { from: string; to: string }) => daysOf(query) >= 1 && daysOf(query) <= most;

/** `from` and `to` are days in Dhaka, such as `2026-03-01`; both are included. */
export const ledgerQuerySchema = z
  .object({ from: dayText, to: dayText, show: z.enum(['open', 'all']).default('all') })
  .refine(isPeriod(MAX_LEDGER_DAYS), { message: `A period has 1 to ${MAX_LEDGER_DAYS} days.`, path: ['to'] });

export const ledgerPeriodsQuerySchema = z
  .object({ from: dayText, to: dayText, by: z.enum(['day', 'month']).default('day') })
  .refine(isPeriod(MAX_MONTHS_IN_DAYS), { message: `A period has 1 to ${MAX_MONTHS_IN_DAYS} days.`, path: ['to'] });

export const asideSchema = z.object({ note: noteSchema });
