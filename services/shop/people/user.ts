import type { DomainEvent } from '../../contracts/events.ts';
import type { CloseReason } from '../../contracts/people/close-reasons.ts';
import type { ProfileFields } from '../../contracts/people/user-events.ts';

/**
 * A person's account. If an e-mail address changes hands, its next owner is a new person (LOG3). The first sign-in
 * binds the account to the provider's `uid` (AUTH5).
 */
export type UserState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'registered';
      readonly uid: string;
      readonly email: string;
      readonly profile: ProfileFields;
      readonly admin: boolean;
      /**
       * The number of times the user has been granted the admin role. ADMIN_EMAILS grants the role only to users who
       * have never had it.
       */
      readonly grants: number;
    }
  /** `completed` is true once this person's erasure has finished (ERASE1) */
  | { readonly status: 'closed'; readonly uid: string; readonly reason: CloseReason; readonly completed: boolean };

/** Returns which admin grant the user currently holds (1 for the first), or 0 if the user isn't an admin. */
export function grantInForce(state: UserState): number {
  return state.status === 'registered' && state.admin ? state.grants : 0;
}

/** Returns whether the account was closed in order to erase its owner's data (ERASE1). The erasure may still be in progress. */
export function isClosedForErasure(state: UserState): state is Extract<UserState, { status: 'closed' }> {
  return state.status === 'closed' && state.reason === 'erased';
}

export type UserCommand =
  | {
      readonly type: 'RegisterUser';
      readonly userId: string;
      readonly uid: string;
      readonly email: string;
      readonly name: string;
      /** true if this e-mail address is verified and listed in ADMIN_EMAILS (AUTH5) */
      readonly grantAdmin: boolean;
    }
  | { readonly type: 'SaveProfile'; readonly userId: string; readonly fields: Partial<Omit<ProfileFields, 'name'>> }
  /**
   * `delisted` is the sequence number of this user's newest delisted grant. Only grants up to that number may be
   * revoked or replaced (AUTH2).
   */
  | { readonly type: 'GrantAdmin' | 'RevokeAdmin'; readonly delisted: number }
  | { readonly type: 'CloseAccount'; readonly reason: CloseReason; readonly delisted: number }
  /** records that all of the erased person's data has been deleted (ERASE1) */
  | { readonly type: 'CompleteErasure' };

export const initialUserState: UserState = { status: 'absent' };

export function evolveUser(state: UserState, event: DomainEvent): UserState {
  if (event.type === 'UserRegistered') {
    const { uid, personal } = event.data;
    const profile = { name: personal.name, address: '', phone: '', education: '', social: '' };
    return { status: 'registered', uid, email: personal.email, profile, admin: false, grants: 0 };
  }
  if (event.type === 'ErasureCompleted') return state.status === 'closed' ? { ...state, completed: true } : state;
  if (state.status !== 'registered') return state;
  switch (event.type) {
    case 'ProfileChanged':
      return { ...state, profile: { ...state.profile, ...event.data.personal } };
    case 'AdminGranted':
      return { ...state, admin: true, grants: state.grants + 1 };
    case 'AdminRevoked':
      return { ...state, admin: false };
    case 'AccountClosed':
      return { status: 'closed', uid: state.uid, reason: event.data.reason, completed: false };
    default:
      return state;
  }
}
