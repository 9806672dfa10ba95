import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { userDecider } from './decide-user.ts';
import type { UserCommand } from './user.ts';

const userId = 'c'.repeat(32);
const registered: DomainEvent = {
  type: 'UserRegistered',
  data: { uid: 'uid-1', person: userId, personal: { email: 'rahim@shop.test', name: 'Rahim' } },
};
const granted: DomainEvent = { type: 'AdminGranted', data: {} };
const revoked: DomainEvent = { type: 'AdminRevoked', data: {} };
const register = (change: Partial<Extract<UserCommand, { type: 'RegisterUser' }>> = {}): UserCommand => ({
  type: 'RegisterUser',
  userId,
  uid: 'uid-1',
  email: 'rahim@shop.test',
  name: 'Rahim',
  grantAdmin: false,
  ...change,
});
const { given } = decisionsOf(userDecider);

const closed = (reason: 'taken_over' | 'released' | 'erased'): DomainEvent => ({
  type: 'AccountClosed',
  data: { reason },
});

describe('signing in', () => {
  it('C1 a user is registered at the first sign-in, and the next sign-in changes nothing', () => {
    expect(given().when(register())).toEqual({ events: [registered] });
    expect(given(registered).when(register())).toEqual({ events: [] });
  });

  it('AUTH5 a sign-in with a registered e-mail address but another uid is refused', () => {
    expect(given(registered).when(register({ uid: 'uid-2' }))).toEqual({ refused: { code: 'other_account' } });
  });

  it('AUTH5 a user listed in ADMIN_EMAILS becomes an admin by signing in, but not again after the role has been revoked', () => {
    expect(given().when(register({ grantAdmin: true }))).toEqual({ events: [registered, granted] });
    expect(given(registered).when(register({ grantAdmin: true }))).toEqual({ events: [granted] });
    expect(given(registered, granted, revoked).when(register({ grantAdmin: true }))).toEqual({ events: [] });
  });

  it('I1 a later sign-in adopts a new name from the identity provider, but not an empty one', () => {
    expect(given(registered).when(register({ name: 'Rahim Uddin' }))).toEqual({
      events: [{ type: 'ProfileChanged', data: { person: userId, personal: { name: 'Rahim Uddin' } } }],
    });
    expect(given(registered).when(register({ name: '' }))).toEqual({ events: [] });
  });
});

describe('LOG3 closing an account', () => {
  it('LOG3 an account can be closed for any reason, and closing it again changes nothing', () => {
    for (const reason of ['taken_over', 'released', 'erased'] as const) {
      const close: UserCommand = { type: 'CloseAccount', reason, delisted: 0 };
      expect(given(registered).when(close)).toEqual({ events: [closed(reason)] });
      expect(given(registered, closed('erased')).when(close)).toEqual({ events: [] });
    }
  });

  it('ERASE1 an erasure is refused if the account was closed for another reason, because nothing is erased then', () => {
    const erase: UserCommand = { type: 'CloseAccount', reason: 'erased', delisted: 0 };
    for (const reason of ['taken_over', 'released'] as const) {
      expect(given(registered, closed(reason)).when(erase)).toEqual({ refused: { code: 'account_closed' } });
    }
  });

  it('LOG3 a closed account refuses profile changes, role changes and sign-ins, even with the same uid', () => {
    const commands: UserCommand[] = [
      register(),
      register({ grantAdmin: true, name: 'Another' }),
      { type: 'SaveProfile', userId, fields: { phone: '0170' } },
      { type: 'GrantAdmin', delisted: 1 },
      { type: 'RevokeAdmin', delisted: 1 },
    ];
    for (const command of commands) {
      expect(given(registered, granted, closed('taken_over')).when(command)).toEqual({
        refused: { code: 'account_closed' },
      });
    }
  });

  it('LOG3 closing an account is refused if the user doesn’t exist', () => {
    expect(given().when({ type: 'CloseAccount', reason: 'released', delisted: 0 })).toEqual({
      refused: { code: 'not_found' },
    });
  });

  it('LOG3 AUTH2 an admin’s account can’t be closed until the admin’s current grant is delisted', () => {
    for (const reason of ['taken_over', 'released', 'erased'] as const) {
      const close = (delisted: number): UserCommand => ({ type: 'CloseAccount', reason, delisted });
      expect(given(registered, granted).when(close(0))).toEqual({ refused: { code: 'last_admin' } });
      expect(given(registered, granted).when(close(1))).toEqual({ events: [closed(reason)] });
      expect(given(registered, granted, revoked, granted).when(close(1))).toEqual({ refused: { code: 'last_admin' } });
      expect(given(registered, granted, revoked, granted).when(close(2))).toEqual({ events: [closed(reason)] });
    }
  });
});

it('LOG5 a sign-in doesn’t replace a stored name that cannot be decrypted', () => {
  const erased: DomainEvent = {
    type: 'UserRegistered',
    data: { uid: 'uid-1', person: userId, personal: { email: 'erased', name: 'erased' } },
  };
  expect(given(erased).when(register())).toEqual({ events: [] });
});

describe('erasure', () => {
  const completed: DomainEvent = { type: 'ErasureCompleted', data: {} };

  it('ERASE1 the completion of an erasure is recorded only once, and only for an account that was closed for erasure', () => {
    const complete: UserCommand = { type: 'CompleteErasure' };
    expect(given(registered, closed('erased')).when(complete)).toEqual({ events: [completed] });
    expect(given(registered, closed('erased'), completed).when(complete, [completed])).toEqual({ events: [] });
    for (const history of [[], [registered], [registered, closed('released')]]) {
      expect(given(...history).when(complete)).toEqual({ events: [] });
    }
  });
});

describe('C2 profile', () => {
  it('saving a profile records only the fields that have changed', () => {
    const save: UserCommand = { type: 'SaveProfile', userId, fields: { phone: '0170', address: '' } };
    const saved: DomainEvent = { type: 'ProfileChanged', data: { person: userId, personal: { phone: '0170' } } };
    expect(given(registered).when(save)).toEqual({ events: [saved] });
    expect(given(registered, saved).when(save)).toEqual({ events: [] });
  });

  it('a profile can’t be saved for a user who doesn’t exist', () => {
    expect(given().when({ type: 'SaveProfile', userId, fields: {} })).toEqual({ refused: { code: 'not_found' } });
  });
});

describe('C5 admins', () => {
  it('the admin role can be granted and revoked, and repeating either changes nothing', () => {
    expect(given(registered).when({ type: 'GrantAdmin', delisted: 0 })).toEqual({ events: [granted] });
    expect(given(registered, granted).when({ type: 'GrantAdmin', delisted: 0 })).toEqual({ events: [] });
    expect(given(registered, granted).when({ type: 'RevokeAdmin', delisted: 1 })).toEqual({ events: [revoked] });
    expect(given(registered).when({ type: 'RevokeAdmin', delisted: 0 })).toEqual({ events: [] });
  });

  it('AUTH2 a user’s admin role can’t be revoked until its current grant has been delisted', () => {
    const refused = { refused: { code: 'last_admin' } };
    expect(given(registered, granted).when({ type: 'RevokeAdmin', delisted: 0 })).toEqual(refused);
    expect(given(registered, granted, revoked, granted).when({ type: 'RevokeAdmin', delisted: 1 })).toEqual(refused);
  });

  it('AUTH2 an admin can get a new grant once the old one is delisted, and the role can’t be revoked until the new grant is delisted too', () => {
    const again = given(registered, granted).when({ type: 'GrantAdmin', delisted: 1 });
    expect(again).toEqual({ events: [granted] });
    expect(given(registered, granted, granted).when({ type: 'RevokeAdmin', delisted: 1 })).toEqual({
      refused: { code: 'last_admin' },
    });
  });
});
