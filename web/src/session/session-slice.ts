import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { sessionRefused } from '../api/shop-api.ts';
import { pushesTaken } from '../live/follow.ts';

export type Role = 'admin' | 'customer';

/** Why nobody is signed in. The reason determines where a guard redirects the visitor and what the login page says. */
export type SignedOutReason = 'visitor' | 'by-user' | 'expired' | 'not-admin' | 'failed';

export type Session = {
  /** 'unknown' until the stored session has been checked */
  status: 'unknown' | 'signed-out' | 'signed-in';
  /** the API's access token */
  token: string | null;
  email: string | null;
  name: string | null;
  role: Role | null;
  reason: SignedOutReason;
  /** the message to show about a failed sign-in */
  problem: string | null;
};

const nobody: Session = {
  status: 'unknown',
  token: null,
  email: null,
  name: null,
  role: null,
  reason: 'visitor',
  problem: null,
};

export const sessionSlice = createSlice({
  name: 'session',
  initialState: nobody,
  reducers: {
    signedIn: (_session, { payload }: PayloadAction<{ token: string; email: string; name: string; role: Role }>) => ({
      ...nobody,
      status: 'signed-in' as const,
      ...payload,
    }),
    signedOut: (_session, { payload }: PayloadAction<{ reason: SignedOutReason; problem?: string }>) => ({
      ...nobody,
      status: 'signed-out' as const,
      reason: payload.reason,
      problem: payload.problem ?? null,
    }),
  },
  extraReducers: (builder) => {
    builder.addCase(sessionRefused, () => ({ ...nobody, status: 'signed-out', reason: 'expired' }));
    // If the signed-in user's role changes, apply the change immediately, because the drawer and the admin guard depend
    // on it.
    builder.addCase(pushesTaken, (session, { payload }) => {
      for (const { view } of payload) {
        if (view !== null && 'role' in view && view.email === session.email) session.role = view.role;
      }
    });
  },
  selectors: {
    selectSession: (session) => session,
    selectIsAdmin: (session) => session.role === 'admin',
  },
});

export const { signedIn, signedOut } = sessionSlice.actions;
export const { selectSession, selectIsAdmin } = sessionSlice.selectors;
