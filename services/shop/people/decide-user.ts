import { accept, type Decider, type Decision, NOTHING_TO_DO, refuse, unreachable } from '../../contracts/decider.ts';
import { type DomainEvent, ERASED } from '../../contracts/events.ts';
import type { ProfileFields } from '../../contracts/people/user-events.ts';
import {
  evolveUser,
  grantInForce,
  initialUserState,
  isClosedForErasure,
  type UserCommand,
  type UserState,
} from './user.ts';

type Registered = Extract<UserState, { status: 'registered' }>;
type Register = Extract<UserCommand, { type: 'RegisterUser' }>;

export const userDecider: Decider<UserState, UserCommand> = {
  kind: 'user',
  initialState: initialUserState,
  evolve: evolveUser,
  decide(command, state) {
    if (command.type === 'CompleteErasure') {
      return isClosedForErasure(state) && !state.completed
        ? accept({ type: 'ErasureCompleted', data: {} })
        : NOTHING_TO_DO;
    }
    if (state.status === 'closed') {
      // An account that was closed for another reason isn't erased, so an erasure must not be reported as done.
      const isDone = command.type === 'CloseAccount' && (command.reason !== 'erased' || isClosedForErasure(state));
      return isDone ? NOTHING_TO_DO : refuse({ code: 'account_closed' });
    }
    if (command.type === 'RegisterUser')
      return state.status === 'absent' ? register(command) : signInAgain(command, state);
    if (state.status === 'absent') return refuse({ code: 'not_found' });
    switch (command.type) {
      case 'SaveProfile': {
        const personal = changed(state.profile, command.fields);
        return personal
          ? accept({ type: 'ProfileChanged', data: { person: command.userId, personal } })
          : NOTHING_TO_DO;
      }
      case 'GrantAdmin':
        return grantInForce(state) > command.delisted ? NOTHING_TO_DO : accept({ type: 'AdminGranted', data: {} });
      case 'RevokeAdmin':
        if (!state.admin) return NOTHING_TO_DO;
        return grantInForce(state) > command.delisted
          ? refuse({ code: 'last_admin' })
          : accept({ type: 'AdminRevoked', data: {} });
      case 'CloseAccount': {
        const { reason } = command;
        return grantInForce(state) > command.delisted
          ? refuse({ code: 'last_admin' })
          : accept({ type: 'AccountClosed', data: { reason } });
      }
      default:
        return unreachable(command);
    }
  },
};

function register({ userId, uid, email, name, grantAdmin }: Register): Decision {
  const events: DomainEvent[] = [{ type: 'UserRegistered', data: { uid, person: userId, personal: { email, name } } }];
  if (grantAdmin) events.push({ type: 'AdminGranted', data: {} });
  return accept(...events);
}

/**
 * Handles another sign-in by a registered user. Adopts the name reported by the identity provider if it has changed,
 * and grants the admin role if `grantAdmin` is set and the user has never been an admin (AUTH5).
 */
function signInAgain({ userId, uid, name, grantAdmin }: Register, state: Registered): Decision {
  if (state.uid !== uid) return refuse({ code: 'other_account' });
  const events: DomainEvent[] = [];
  // If the name is ERASED, the person's key may be missing. The name is then left as it is, because a new name couldn't
  // be encrypted without the key (LOG5).
  const known = name !== '' && state.profile.name !== ERASED;
  const personal = known ? changed(state.profile, { name }) : null;
  if (personal) events.push({ type: 'ProfileChanged', data: { person: userId, personal } });
  if (grantAdmin && state.grants === 0) events.push({ type: 'AdminGranted', data: {} });
  return accept(...events);
}

/** Returns the `fields` whose values differ from the profile's, or null if there are none. */
function changed(profile: ProfileFields, fields: Partial<ProfileFields>): Partial<ProfileFields> | null {
  const different = Object.entries(fields).filter(
    ([field, value]) => value !== undefined && profile[field as keyof ProfileFields] !== value,
  );
  return different.length > 0 ? Object.fromEntries(different) : null;
}
