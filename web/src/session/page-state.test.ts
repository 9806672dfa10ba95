import { afterEach, describe, expect, it } from 'vitest';
import { makeStore } from '../app/store.ts';
import { draftChanged, type PageState, valueChanged } from './page-state.ts';
import { type SignedOutReason, signedIn, signedOut } from './session-slice.ts';

const RINA = { token: 'one', email: 'rina@micro-center.test', name: 'Rina Akter', role: 'customer' as const };
const KARIM = { ...RINA, email: 'karim@micro-center.test' };
const DRAFT = { fields: { address: 'Dhanmondi', quantity: 2, cancel: true }, key: 'k1' };

/** Returns the store of a tab in which Rina has half filled in a form and opened a dialog. */
function begun() {
  const store = makeStore();
  store.dispatch(signedIn(RINA));
  store.dispatch(draftChanged({ form: 'buy', draft: DRAFT }));
  store.dispatch(valueChanged({ name: 'dialog', value: 'open' }));
  return store;
}
const left = ({ drafts, values }: PageState) => ({ drafts, values });
const ALL = { drafts: { buy: DRAFT }, values: { dialog: 'open' } };
const NOTHING = { drafts: {}, values: {} };

describe('page state', () => {
  afterEach(() => sessionStorage.clear());

  it('P5 CMD3 a draft and its idempotency key survive a reload, and a dialog does not', () => {
    begun();
    const reloaded = makeStore();
    expect(left(reloaded.getState().pageState)).toEqual({ ...ALL, values: {} });
    reloaded.dispatch(signedIn(RINA));
    expect(left(reloaded.getState().pageState)).toEqual({ ...ALL, values: {} });
  });

  it('P5 a renewed session keeps the page state', () => {
    const store = begun();
    store.dispatch(signedIn({ ...RINA, token: 'two' }));
    expect(left(store.getState().pageState)).toEqual(ALL);
  });

  it.each<[SignedOutReason, typeof RINA, object]>([
    ['expired', RINA, ALL],
    ['expired', KARIM, NOTHING],
    ['failed', KARIM, NOTHING],
    ['by-user', RINA, NOTHING],
    ['not-admin', RINA, NOTHING],
  ])(
    'P5 after a sign-out with the reason "%s", the page state is shown only to the user whose it is',
    (reason, next, kept) => {
      const store = begun();
      store.dispatch(signedOut({ reason }));
      store.dispatch(signedIn(next));
      expect(left(store.getState().pageState)).toEqual(kept);
      expect(sessionStorage.length).toBe(kept === ALL ? 1 : 0);
    },
  );

  it('P5 another user who signs in after a reload sees no draft of the user before', () => {
    begun().dispatch(signedOut({ reason: 'expired' }));
    const reloaded = makeStore();
    reloaded.dispatch(signedIn(KARIM));
    expect(left(reloaded.getState().pageState)).toEqual(NOTHING);
    expect({ ...sessionStorage }).toEqual({});
  });

  it.each(['', '{"email":', 'Dhanmondi', '[1]', 'null', '{}'])(
    'P5 malformed drafts in session storage are ignored: %j',
    (stored) => {
      sessionStorage.setItem('drafts', stored);
      expect(left(makeStore().getState().pageState)).toEqual(NOTHING);
    },
  );
});
