import * as z from 'zod/mini';
import { draftKey } from './forget-drafts.ts';

/** The changed values of one form, by field name. */
const draftSchema = z.record(z.string(), z.union([z.string(), z.number()]));
export type Draft = z.infer<typeof draftSchema>;

/** Returns the input that a user has entered into a form in this tab but hasn't submitted, or null if there is none. */
export function draftOf(email: string, form: string): Draft | null {
  const kept = sessionStorage.getItem(draftKey(email, form));
  if (kept === null) return null;
  try {
    return draftSchema.parse(JSON.parse(kept));
  } catch {
    // Ignore a draft that can't be parsed, for example because an older version of the page stored it.
    return null;
  }
}

/** Stores a draft until the tab is closed, or removes the stored draft if `draft` has no fields. */
export function keepDraft(email: string, form: string, draft: Draft): void {
  const key = draftKey(email, form);
  if (Object.keys(draft).length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}
