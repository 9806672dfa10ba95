import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { signedIn, signedOut } from './session-slice.ts';

/** Unsaved form changes of an expired session, until the same person signs in again. */
export interface DraftState {
  email: string | null;
  /** changed fields by the form's name */
  forms: Record<string, Record<string, unknown>>;
}

const none: DraftState = { email: null, forms: {} };

export const draftSlice = createSlice({
  name: 'drafts',
  initialState: none,
  reducers: {
    draftKept: (
      drafts,
      { payload }: PayloadAction<{ email: string; form: string; fields: Record<string, unknown> }>,
    ) => {
      const { email, form, fields } = payload;
      return { email, forms: { ...(drafts.email === email ? drafts.forms : {}), [form]: fields } };
    },
    draftTaken: (drafts, { payload }: PayloadAction<{ form: string }>) => {
      delete drafts.forms[payload.form];
    },
  },
  extraReducers: (builder) => {
    builder.addCase(signedIn, (drafts, { payload }) => (drafts.email === payload.email ? drafts : none));
    builder.addCase(signedOut, (drafts, { payload }) => (payload.reason === 'expired' ? drafts : none));
  },
});

export const { draftKept, draftTaken } = draftSlice.actions;
