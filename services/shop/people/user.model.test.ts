import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { expectToFollow, type Model } from '../follow-model.fixture.ts';
import { userDecider } from './decide-user.ts';
import type { UserCommand } from './user.ts';

const hex = (digit: string) => digit.repeat(32);

describe('a user', () => {
  const userId = hex('e');
  const delisted = fc.integer({ min: 0, max: 3 });
  const commands: fc.Arbitrary<UserCommand> = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .record({
          uid: fc.constantFrom('u1', 'u2'),
          name: fc.constantFrom('', 'Rumi', 'Mou'),
          grantAdmin: fc.boolean(),
        })
        .map((given): UserCommand => ({ type: 'RegisterUser', userId, email: 'rumi@micro-center.test', ...given })),
    },
    fc
      .constantFrom('', '0170', '0171')
      .map((phone): UserCommand => ({ type: 'SaveProfile', userId, fields: { phone } })),
    delisted.map((grant): UserCommand => ({ type: 'GrantAdmin', delisted: grant })),
    delisted.map((grant): UserCommand => ({ type: 'RevokeAdmin', delisted: grant })),
    fc.constant<UserCommand>({ type: 'CompleteErasure' }),
    fc
      .record({ reason: fc.constantFrom('taken_over' as const, 'released' as const, 'erased' as const), delisted })
      .map((given): UserCommand => ({ type: 'CloseAccount', ...given })),
  );

  function modelOfUser(): Model<UserCommand, { status: string; name: string; phone: string; admin: boolean }> {
    let [status, uid, name, phone] = ['absent', '', '', ''];
    let [admin, grants, erased] = [false, 0, false];
    function makeAdmin(): DomainEvent['type'] {
      [admin, grants] = [true, grants + 1];
      return 'AdminGranted';
    }
    return {
      seen: () =>
        status === 'registered' ? { status, name, phone, admin } : { status, name: '', phone: '', admin: false },
      step(command, { repeated }) {
        if (command.type === 'CompleteErasure') return erased && !repeated ? ['ErasureCompleted'] : [];
        if (status === 'closed') {
          const isDone = command.type === 'CloseAccount' && (command.reason !== 'erased' || erased);
          return isDone ? [] : 'account_closed';
        }
        if (status === 'absent' && command.type !== 'RegisterUser') return 'not_found';
        const events: DomainEvent['type'][] = [];
        switch (command.type) {
          case 'RegisterUser':
            if (status === 'absent') {
              [status, uid, name] = ['registered', command.uid, command.name];
              events.push('UserRegistered');
            }
            if (command.uid !== uid) return 'other_account';
            if (command.name !== '' && command.name !== name) {
              name = command.name;
              events.push('ProfileChanged');
            }
            if (command.grantAdmin && grants === 0) events.push(makeAdmin());
            return events;
          case 'SaveProfile':
            if (command.fields.phone === phone) return [];
            phone = command.fields.phone ?? phone;
            return ['ProfileChanged'];
          case 'GrantAdmin':
            return admin && grants > command.delisted ? [] : [makeAdmin()];
          case 'RevokeAdmin':
            if (!admin) return [];
            if (grants > command.delisted) return 'last_admin';
            admin = false;
            return ['AdminRevoked'];
          case 'CloseAccount':
            if (admin && grants > command.delisted) return 'last_admin';
            [status, erased] = ['closed', command.reason === 'erased'];
            return ['AccountClosed'];
        }
      },
    };
  }

  it('LOG3 AUTH5 a user behaves like its reference model for any sequence of commands', () => {
    expectToFollow(userDecider, {
      commands,
      causeOf: ({ type }, index) => (type === 'CompleteErasure' ? 'complete' : `c:${index}`),
      model: modelOfUser,
      seenOf: (state) =>
        state.status === 'registered'
          ? { status: state.status, name: state.profile.name, phone: state.profile.phone, admin: state.admin }
          : { status: state.status, name: '', phone: '', admin: false },
    });
  });
});
