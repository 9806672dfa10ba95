import type { DocumentBase } from '../document-base.ts';
import type { ProfileFields } from './user-events.ts';

/**
 * A person's account. Anyone who signs in with the e-mail address of a closed account gets a new account with a new
 * user id (LOG3). The closed account's document stays as a tombstone without personal data (PRJ5).
 */
export interface UserDocument extends DocumentBase, Readonly<ProfileFields> {
  readonly kind: 'user';
  readonly uid: string;
  readonly email: string;
  readonly role: 'admin' | 'customer';
  /** absent while the account is open */
  readonly closed?: true;
}
