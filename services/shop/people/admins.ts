import { accept, type Decider, NOTHING_TO_DO, refuse, unreachable } from '../../contracts/decider.ts';
import type { DomainEvent } from '../../contracts/events.ts';

/** The id of the single stream that lists the admins. */
export const ADMINS = '0'.repeat(32);

/**
 * Each person's newest grant of the admin role. A grant is appended to the user's stream before it's listed here, and
 * delisted here before it's revoked on the user's stream.
 */
export type AdminsState = ReadonlyMap<string, { readonly grant: number; readonly listed: boolean }>;

export interface DelistAdmin {
  readonly type: 'DelistAdmin';
  readonly userId: string;
  readonly grant: number;
  /** true if even the last admin may be delisted, for example when an account that nobody can use anymore is taken over */
  readonly evenIfLast: boolean;
}

export type AdminsCommand =
  | { readonly type: 'ListAdmin'; readonly userId: string; readonly grant: number }
  | DelistAdmin;

/**
 * Ensures that the shop keeps at least one admin (AUTH2). A grant is always delisted on this stream before it's revoked
 * on the user's stream. The version check serializes concurrent delistings.
 */
export const adminsDecider: Decider<AdminsState, AdminsCommand> = {
  kind: 'admins',
  initialState: new Map(),
  evolve: evolveAdmins,
  decide(command, state) {
    const { userId, grant } = command;
    const known = state.get(userId);
    switch (command.type) {
      case 'ListAdmin':
        return known && known.grant >= grant
          ? NOTHING_TO_DO
          : accept({ type: 'AdminListed', data: { person: userId, grant } });
      case 'DelistAdmin':
        if (delistedGrant(state, userId) >= grant) return NOTHING_TO_DO;
        return command.evenIfLast || hasOtherAdmin(state, userId)
          ? accept({ type: 'AdminDelisted', data: { person: userId, grant } })
          : refuse({ code: 'last_admin' });
      default:
        return unreachable(command);
    }
  },
};

function evolveAdmins(state: AdminsState, event: DomainEvent): AdminsState {
  if (event.type !== 'AdminListed' && event.type !== 'AdminDelisted') return state;
  const { person: userId, grant } = event.data;
  return new Map(state).set(userId, { grant, listed: event.type === 'AdminListed' });
}

export function hasOtherAdmin(state: AdminsState, userId: string): boolean {
  return [...state].some(([other, { listed }]) => listed && other !== userId);
}

/**
 * Returns the sequence number of a person's newest delisted grant, counted from 1, or 0 if no grant was delisted. A
 * delisted grant may be revoked on the user's stream.
 */
export function delistedGrant(state: AdminsState, userId: string): number {
  const known = state.get(userId);
  if (!known) return 0;
  return known.listed ? known.grant - 1 : known.grant;
}
