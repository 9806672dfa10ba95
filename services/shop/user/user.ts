import type { DomainEvent, ProfileFields } from '../../contracts/events.ts';
import type { CloseReason } from '../../contracts/reasons.ts';

/**
 * A user's stream, folded: one generation of a person (LOG3). The provider's `uid` is bound to it at the first sign-in
 * (AUTH5); once it is closed the e-mail belongs to the next generation, which has a stream of its own.
 */
export type UserState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'registered';
      readonly uid: string;
      readonly email: string;
      readonly profile: ProfileFields;
      readonly admin: boolean;
      /** how often the role was granted: a revoked admin is not made one again by configuration */
      readonly grants: number;
    }
  | { readonly status: 'closed'; readonly uid: string; readonly reason: CloseReason };

/** The grant by which a user is an admin, counted from 1; 0 for one who is none. */
export function grantInForce(state: UserState): number {
  return state.status === 'registered' && state.admin ? state.grants : 0;
}

export type UserCommand =
  | {
      readonly type: 'RegisterUser';
      readonly userId: string;
      readonly uid: string;
      readonly email: string;
      readonly name: string;
      /** the configuration names this e-mail as an admin's, and it may be trusted (AUTH5) */
      readonly grantAdmin: boolean;
    }
  | { readonly type: 'SaveProfile'; readonly userId: string; readonly fields: Partial<Omit<ProfileFields, 'name'>> }
  /**
   * `delisted` is the newest grant of this user that the stream of admins has delisted, 0 for none. Only that grant may
   * end, or give way to a new one (AUTH2).
   */
  | { readonly type: 'GrantAdmin' | 'RevokeAdmin'; readonly delisted: number }
  | { readonly type: 'CloseAccount'; readonly reason: CloseReason; readonly delisted: number }
  /** nothing of an erased person is left anywhere (ERASE1) */
  | { readonly type: 'CompleteErasure' };

export const initialUserState: UserState = { status: 'absent' };

/** Folds one event into a user. */
export function evolveUser(state: UserState, event: DomainEvent): UserState {
  if (event.type === 'UserRegistered') {
    const { uid, personal } = event.data;
    const profile = { name: personal.name, address: '', phone: '', education: '', social: '' };
    return { status: 'registered', uid, email: personal.email, profile, admin: false, grants: 0 };
  }
  if (state.status !== 'registered') return state;
  switch (event.type) {
    case 'ProfileChanged':
      return { ...state, profile: { ...state.profile, ...event.data.personal } };
    case 'AdminGranted':
      return { ...state, admin: true, grants: state.grants + 1 };
    case 'AdminRevoked':
      return { ...state, admin: false };
    case 'AccountClosed':
      return { status: 'closed', uid: state.uid, reason: event.data.reason };
    default:
      return state;
  }
}
