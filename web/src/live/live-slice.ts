import type { PackingPush } from '@micro-center/services/contracts/packing.ts';
import { createSlice, current, type PayloadAction } from '@reduxjs/toolkit';
import { serverNow } from '../ui/server-clock.ts';

export interface LiveState {
  state: 'connecting' | 'live' | 'not-live';
  /**
   * time from when a push was sent, by the server's clock, to when it arrived, by this page's clock, in milliseconds.
   * It is the minimum over the pushes of this connection, so it mostly measures the difference between the clocks. Null
   * before the connection's first push.
   */
  offset: number | null;
  /** time from the append of the newest push's event to the push's arrival here, in milliseconds */
  lagMs: number | null;
  /** the token of the open tracking link. While it is open, the connection belongs to the link instead of the user. */
  tracking: string | null;
  /**
   * which other admin is packing which order, by the order's id. Claims that have ended may still be included (PACK1).
   */
  packing: Readonly<Record<string, Packing>>;
}

/**
 * The last known packing claim of an order, valid until a time by this page's clock. `by` is null if the claim was
 * given up.
 */
interface Packing {
  by: PackingPush['by'];
  until: number;
}

const heardNow = ({ by, left }: PackingPush): Packing => ({ by, until: serverNow() + (left ?? 0) });

/**
 * When a push's event was appended and the push sent, by the server's clock, and when the push arrived, by any
 * monotonic clock of this page.
 */
export interface Arrival {
  appended: number;
  pushed: number;
  now: number;
}

const initialState: LiveState = { state: 'connecting', offset: null, lagMs: null, tracking: null, packing: {} };

/** Whether the screen updates live, and how far it is behind (LIVE4). */
export const liveSlice = createSlice({
  name: 'live',
  initialState,
  reducers: {
    connectionStarted: (live) => {
      live.state = 'connecting';
    },
    wentLive: (live) => {
      if (live.state !== 'live') live.offset = null;
      live.state = 'live';
    },
    wentStale: (live) => {
      live.state = 'not-live';
    },
    trackingFollowed: (live, { payload }: PayloadAction<string | null>) => {
      live.tracking = payload;
    },
    /** `before` is the state when the list was requested. Anything pushed since is newer than the list. */
    packingListed: {
      prepare: (claims: PackingPush[], before: LiveState['packing']) => ({
        payload: { listed: claims.map((claim) => [claim.order, heardNow(claim)] as const), before },
      }),
      reducer: (
        live,
        { payload }: PayloadAction<{ listed: (readonly [string, Packing])[]; before: LiveState['packing'] }>,
      ) => {
        const pushed = Object.entries(current(live).packing).filter(([order, one]) => one !== payload.before[order]);
        live.packing = Object.fromEntries([...payload.listed, ...pushed]);
      },
    },
    packingChanged: {
      prepare: (push: PackingPush) => ({ payload: [push.order, heardNow(push)] as const }),
      reducer: (live, { payload: [order, packing] }: PayloadAction<readonly [string, Packing]>) => {
        live.packing[order] = packing;
      },
    },
    pushesArrived: (live, { payload }: PayloadAction<Arrival[]>) => {
      for (const { appended, pushed, now } of payload) {
        live.offset = Math.min(live.offset ?? Number.POSITIVE_INFINITY, now - pushed);
        // The two clocks are never compared. The fastest push of the connection counts as having taken no time to
        // arrive.
        live.lagMs = Math.max(0, pushed - appended) + (now - pushed - live.offset);
      }
    },
  },
  selectors: {
    selectLive: (live) => live,
    selectIsLive: (live) => live.state === 'live',
    selectPacking: (live, orderId: string): Packing | undefined => live.packing[orderId],
  },
});

export const {
  connectionStarted,
  wentLive,
  wentStale,
  pushesArrived,
  trackingFollowed,
  packingListed,
  packingChanged,
} = liveSlice.actions;
export const { selectLive, selectIsLive, selectPacking } = liveSlice.selectors;
