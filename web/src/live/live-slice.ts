import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

export interface LiveState {
  state: 'connecting' | 'live' | 'not-live';
  /** when the newest push came, in milliseconds since the epoch */
  lastPushAt: number | null;
  /** from the append of the newest push's event to its arrival here, in milliseconds */
  lagMs: number | null;
}

const initialState: LiveState = { state: 'connecting', lastPushAt: null, lagMs: null };

/** Whether the screen follows the shop by itself, and how far behind it is (LIVE4). */
export const liveSlice = createSlice({
  name: 'live',
  initialState,
  reducers: {
    connectionStarted: (live) => {
      live.state = 'connecting';
    },
    wentLive: (live) => {
      live.state = 'live';
    },
    wentStale: (live) => {
      live.state = 'not-live';
    },
    pushArrived: (live, { payload }: PayloadAction<{ appended: number; now: number }>) => {
      live.lastPushAt = payload.now;
      // The two clocks need not agree: a push from the future is a push without lag.
      live.lagMs = Math.max(0, payload.now - payload.appended);
    },
  },
  selectors: {
    selectLive: (live) => live,
    selectIsLive: (live) => live.state === 'live',
  },
});

export const { connectionStarted, wentLive, wentStale, pushArrived } = liveSlice.actions;
export const { selectLive, selectIsLive } = liveSlice.selectors;
