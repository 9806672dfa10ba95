import type { UserView } from '@micro-center/services/contracts/people/user-view.ts';
import { describe, expect, it } from 'vitest';
import { selectToken, sessionRefused } from '../api/shop-api.ts';
import { pushesTaken } from '../live/follow.ts';
import { type Session, sessionSlice, signedIn, signedOut } from './session-slice.ts';

const { reducer, selectors } = sessionSlice;
const rina = { token: 'one', email: 'rina@micro-center.test', name: 'Rina Akter', role: 'customer' as const };
const start = () => reducer(undefined, { type: 'start' });
const inside = () => reducer(start(), signedIn(rina));
const promoted: UserView = {
  ...{ _id: 'u'.repeat(24), email: 'rina@micro-center.test', name: 'Rina Akter', role: 'admin', version: 2 },
  ...{ address: '', phone: '', education: '', social: '', registeredAt: '2026-01-01T10:00:00.000Z' },
};
const nowAdmin = pushesTaken([{ kind: 'user', id: promoted._id, version: 2, view: promoted }]);
const rooted = (session: Session) => ({ session });

describe('session slice', () => {
  it('I5 the session initially has the status "unknown", and no token, e-mail address or role', () => {
    expect(start()).toMatchObject({ status: 'unknown', token: null, email: null, role: null });
  });

  it("I5 the session stores the signed-in user's access token", () => {
    expect(inside()).toMatchObject({ status: 'signed-in', ...rina });
    expect(selectToken(rooted(inside()))).toBe('one');
    expect(selectors.selectIsAdmin(rooted(inside()))).toBe(false);
  });

  it('I5 when a user signs out or the token is rejected, everything about the user is removed from the session', () => {
    for (const action of [signedOut({ reason: 'by-user' }), sessionRefused()]) {
      expect(reducer(inside(), action)).toMatchObject({
        status: 'signed-out',
        token: null,
        email: null,
        name: null,
        role: null,
      });
    }
    expect(reducer(inside(), sessionRefused()).reason).toBe('expired');
  });

  it("I5 a session's token and role can be updated, but a pushed role does not sign in a user who has signed out", () => {
    expect(reducer(inside(), signedIn({ ...rina, token: 'two' }))).toEqual({ ...inside(), token: 'two' });
    expect(selectors.selectIsAdmin(rooted(reducer(inside(), nowAdmin)))).toBe(true);
    const outside = reducer(inside(), signedOut({ reason: 'by-user' }));
    expect(reducer(outside, nowAdmin)).toEqual(outside);
  });

  it('I3 the reason for a failed sign-in is kept until the next sign-in succeeds', () => {
    const failed = reducer(start(), signedOut({ reason: 'failed', problem: 'The shop is very busy.' }));
    expect(failed.problem).toBe('The shop is very busy.');
    expect(reducer(failed, signedIn(rina)).problem).toBeNull();
  });
});
