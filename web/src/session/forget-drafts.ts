import type { Session } from './session-slice.ts';

const PREFIX = 'draft ';

/**
 * Returns the key of a user's draft in the tab's session storage. Without `form`, returns the prefix of all the user's
 * draft keys.
 */
export const draftKey = (email: string, form = '') => `${PREFIX}${email} ${form}`;

/**
 * Deletes everyone's drafts after a sign-out, and other users' drafts after a sign-in. Keeps all drafts if a session
 * expired or could not be opened.
 */
export function forgetDrafts({ email, reason }: Session): void {
  if (email === null && reason !== 'by-user' && reason !== 'not-admin') return;
  for (const key of Object.keys(sessionStorage)) {
    const own = email !== null && key.startsWith(draftKey(email));
    if (key.startsWith(PREFIX) && !own) sessionStorage.removeItem(key);
  }
}
