import type { PackingPush } from '@micro-center/services/contracts/packing.ts';
import { createSlice, current, type PayloadAction } from '@reduxjs/toolkit';
import { serverNow } from '../ui/server-clock.ts';

export interface LiveState {
  state: 'connecting' | 'live' | 'not-live';
  /**
   * from when a push was sent by the server's clock to when it came by the clock here, in milliseconds: the least of this
   * connection, so mostly how far apart the clocks are; null before its first push
   */
  offset: number | null;
  /** from the append of the newest push's event to its arrival here, in milliseconds */
  lagMs: number | null;
  /** the token of the tracking link that is open: the connection is that link's while it is */
  tracking: string | null;
  /** which other admin packs which order, by the order's id; what has ended may still be there (PACK1) */
  packing: Readonly<Record<string, Packing>>;
}

/** What was said last of the packing of one order, until a time by the clock here; by nobody where it was given up. */
interface Packing {
  by: PackingPush['by'];
  until: number;
}

const heardNow = ({ by, left }: PackingPush): Packing => ({ by, until: serverNow() + (left ?? 0) });

/** When a push was appended and sent by the server's clock, and came by any clock here that only goes forward. */
export interface Arrival {
  appended: number;
  pushed: number;
  now: number;
}

const initialState: LiveState = { state: 'connecting', offset: null, lagMs: null, tracking: null, packing: {} };

/** Whether the screen follows the shop by itself, and how far behind it is (LIVE4). */
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
    /** `before`: what was known when the list was asked for. What was pushed since is newer than the list. */
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
        // The clocks are never compared: the quickest push of the connection counts as on its way for no time.
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
