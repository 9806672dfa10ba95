import * as z from 'zod/mini';
import { draftKey } from './forget-drafts.ts';

/** Changed fields of one form. */
const draftSchema = z.record(z.string(), z.union([z.string(), z.number()]));
export type Draft = z.infer<typeof draftSchema>;

/** What a person has typed into a form of this tab and has not sent; null where there is nothing. */
export function draftOf(email: string, form: string): Draft | null {
  const kept = sessionStorage.getItem(draftKey(email, form));
  if (kept === null) return null;
  try {
    return draftSchema.parse(JSON.parse(kept));
  } catch {
    // What an older version or a hand left there: the form begins empty.
    return null;
  }
}

/** Keeps a draft until the tab closes; one without fields is dropped. */
export function keepDraft(email: string, form: string, draft: Draft): void {
  const key = draftKey(email, form);
  if (Object.keys(draft).length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}
