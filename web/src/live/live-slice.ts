import type { PackingPush } from '@micro-center/services/contracts/packing/packing.ts';
import { createSlice, current, type PayloadAction } from '@reduxjs/toolkit';
import { serverNow } from '../ui/server-clock.ts';

export interface LiveState {
  state: 'connecting' | 'live' | 'not-live';
  /**
   * how far this page's clock is ahead of the server's, in milliseconds, or null before this connection's first push.
   * Each push gives an estimate: its arrival time by this page's clock, minus its sending time by the server's clock.
   * The connection's smallest estimate is used.
   */
  offset: number | null;
  /** the newest push's delay, from when its event was appended until the push arrived here, in milliseconds */
  lagMs: number | null;
  /**
   * the token of the open tracking link, or null. While a link is open, the socket authenticates with the link instead
   * of the user's access token.
   */
  tracking: string | null;
  /** the other admins' packing claims, by order id. Expired and released claims may still be included (PACK1). */
  packing: Readonly<Record<string, Packing>>;
}

/**
 * An order's last known packing claim. It expires at `until`, in milliseconds since the epoch by the shop's clock. `by`
 * is null if the claim was released.
 */
interface Packing {
  by: PackingPush['by'];
  until: number;
}

const heardNow = ({ by, left }: PackingPush): Packing => ({ by, until: serverNow() + (left ?? 0) });

/**
 * The times of one push, in milliseconds. `appended` is when the push's event was appended, and `pushed` is when the
 * push was sent, both by the server's clock. `now` is when the push arrived, by a monotonic clock on this page.
 */
export interface Arrival {
  appended: number;
  pushed: number;
  now: number;
}

const initialState: LiveState = { state: 'connecting', offset: null, lagMs: null, tracking: null, packing: {} };

/** Whether the screen is updating live, and how far it lags behind the server (LIVE4). */
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
    /**
     * Replaces the packing claims with a fetched list of claims. `before` is the value that `packing` had when the list
     * was requested. Claims that have been pushed since then are newer than the list, so they are kept.
     */
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
        // The server's and the page's clocks aren't synchronized, so the delay is measured relative to the connection's
        // fastest push. That push is assumed to have arrived without delay.
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
