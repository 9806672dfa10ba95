import * as z from 'zod/mini';
import type { Session } from './session-slice.ts';

/** Changed fields of one form. */
const draftSchema = z.record(z.string(), z.union([z.string(), z.number()]));
export type Draft = z.infer<typeof draftSchema>;

const PREFIX = 'draft ';
const ofPerson = (email: string) => `${PREFIX}${email} `;

/** What a person has typed into a form of this tab and has not sent; null where there is nothing. */
export function draftOf(email: string, form: string): Draft | null {
  const kept = sessionStorage.getItem(ofPerson(email) + form);
  if (kept === null) return null;
  const draft = draftSchema.safeParse(JSON.parse(kept));
  return draft.success ? draft.data : null;
}

/** Keeps a draft until the tab closes; one without fields is dropped. */
export function keepDraft(email: string, form: string, draft: Draft): void {
  const key = ofPerson(email) + form;
  if (Object.keys(draft).length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}

/** After a sign-out nobody's drafts are left, after a sign-in nobody else's; a session that expired leaves them. */
export function forgetDrafts({ email, reason }: Session): void {
  if (email === null && reason !== 'by-user' && reason !== 'not-admin') return;
  for (const key of Object.keys(sessionStorage)) {
    const own = email !== null && key.startsWith(ofPerson(email));
    if (key.startsWith(PREFIX) && !own) sessionStorage.removeItem(key);
  }
}
