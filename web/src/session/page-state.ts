import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Draft } from './draft.ts';
import { signedIn, signedOut } from './session-slice.ts';

export interface PageState {
  /** the e-mail address of the user to whom the rest belongs, or null before the first sign-in */
  email: string | null;
  /** by form name. They survive a reload, so a reader has to parse them (`readDraft`). */
  drafts: Record<string, unknown>;
  /** selections, open dialogs and the like, by name. They survive leaving a page, but not a reload. */
  values: Record<string, unknown>;
}
export type PageStateRoot = { pageState: PageState };

const NOTHING: PageState = { email: null, drafts: {}, values: {} };
const STORED_AS = 'drafts';

/** Returns the drafts that this tab has stored, or nothing if they can't be read, for example on the server. */
function stored(): PageState {
  try {
    return { ...NOTHING, ...JSON.parse(sessionStorage.getItem(STORED_AS) ?? '') };
  } catch {
    return NOTHING;
  }
}

/** Stores the drafts until the tab is closed. */
export function storeDrafts({ email, drafts }: PageState): void {
  if (Object.keys(drafts).length === 0) sessionStorage.removeItem(STORED_AS);
  else sessionStorage.setItem(STORED_AS, JSON.stringify({ email, drafts }));
}

/**
 * What users leave on a page and find again when they come back. If a session expires, it's kept until the same user
 * signs in again. A sign-out, or a sign-in of someone else, deletes it.
 */
export const pageStateSlice = createSlice({
  name: 'pageState',
  initialState: stored,
  reducers: {
    /** `draft` is null if the form was submitted or closed. */
    draftChanged({ drafts }, { payload: { form, draft } }: PayloadAction<{ form: string; draft: Draft | null }>) {
      if (draft === null) delete drafts[form];
      else drafts[form] = draft;
    },
    valueChanged({ values }, { payload: { name, value } }: PayloadAction<{ name: string; value: unknown }>) {
      values[name] = value;
    },
  },
  extraReducers: (builder) => {
    builder.addCase(signedIn, (state, { payload: { email } }) =>
      state.email === email ? state : { ...NOTHING, email },
    );
    builder.addCase(signedOut, (state, { payload: { reason } }) =>
      reason === 'by-user' || reason === 'not-admin' ? NOTHING : state,
    );
  },
});

export const { draftChanged, valueChanged } = pageStateSlice.actions;
