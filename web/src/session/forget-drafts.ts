import type { Session } from './session-slice.ts';

const PREFIX = 'draft ';

/** The key of a person's draft in the tab's storage; without a form, how all of theirs begin. */
export const draftKey = (email: string, form = '') => `${PREFIX}${email} ${form}`;

/** After a sign-out nobody's drafts are left, after a sign-in nobody else's; a session that expired leaves them. */
export function forgetDrafts({ email, reason }: Session): void {
  if (email === null && reason !== 'by-user' && reason !== 'not-admin') return;
  for (const key of Object.keys(sessionStorage)) {
    const own = email !== null && key.startsWith(draftKey(email));
    if (key.startsWith(PREFIX) && !own) sessionStorage.removeItem(key);
  }
}
