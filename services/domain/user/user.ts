import type { DomainEvent, ProfileFields } from '../../contracts/events.ts';

/** A user's stream, folded. The provider's `uid` is bound to the e-mail at the first sign-in (AUTH5). */
export type UserState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'registered';
      readonly uid: string;
      readonly email: string;
      readonly profile: ProfileFields;
      readonly admin: boolean;
      /** true once a grant was ever made: a revoked admin is not made one again by configuration */
      readonly wasAdmin: boolean;
    };

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
  | { readonly type: 'GrantAdmin' }
  | { readonly type: 'RevokeAdmin'; readonly otherAdmins: number };

export const initialUserState: UserState = { status: 'absent' };

/** Folds one event into a user. */
export function evolveUser(state: UserState, event: DomainEvent): UserState {
  if (event.type === 'UserRegistered') {
    const { uid, personal } = event.data;
    const profile = { name: personal.name, address: '', phone: '', education: '', social: '' };
    return { status: 'registered', uid, email: personal.email, profile, admin: false, wasAdmin: false };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'ProfileChanged':
      return { ...state, profile: { ...state.profile, ...event.data.personal } };
    case 'AdminGranted':
      return { ...state, admin: true, wasAdmin: true };
    case 'AdminRevoked':
      return { ...state, admin: false };
    default:
      return state;
  }
}
