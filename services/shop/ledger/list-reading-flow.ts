import type Stripe from 'stripe';
import { PaymentProviderFailed } from '../payment/payments.ts';

const PAGE = 100;
/** The maximum number of pages that one round reads of a list. The next round goes on from there. */
const MAX_PAGES = 50;

/**
 * Stripe gives an object its time up to some minutes before its lists contain the object, and may list a later object
 * earlier. An entry that is at most this much older than the list's newest one, in s, is therefore listed again, and is
 * recognized by its id.
 */
export const LISTED_WITHIN_S = 600;

interface Listed {
  readonly id: string;
  /** in seconds since the epoch */
  readonly created: number;
}
interface ListParams {
  readonly limit: number;
  readonly ending_before?: string;
  readonly starting_after?: string;
}
export type ReadPage<T> = (params: ListParams) => Promise<Stripe.ApiList<T>>;

interface ListReadingSettings<T> {
  readonly isStopped: () => boolean;
  /** Handles an entry. Called again for an entry after a restart, or if it failed. */
  readonly take: (entry: T) => Promise<void>;
  /** Stores the entry at which the next round begins. Every entry up to this one has been taken. */
  readonly move: (id: string) => Promise<void>;
}

/**
 * Reads a list of Stripe's API, newest first in pages, so that no entry is missed. The position is an entry behind which
 * nothing can appear any more. Each round reads what is newer than the position and takes what it hasn't taken yet.
 */
export function createListReading<T extends Listed>(
  readPage: ReadPage<T>,
  { isStopped, take, move }: ListReadingSettings<T>,
) {
  /** entries that were taken and may be listed again, with their times */
  const taken = new Map<string, number>();
  /** where the reading of the whole list, from the newest entry back to the oldest, goes on */
  let back: { readonly newest: number; readonly position: string | null; readonly after: string } | null = null;

  async function takeNew(entry: T): Promise<void> {
    if (taken.has(entry.id)) return;
    await take(entry);
    taken.set(entry.id, entry.created);
  }

  /** Forgets the entries older than the one at which reading now begins. They won't be listed again. */
  function forget({ created }: Listed): void {
    for (const [id, at] of taken) if (at < created) taken.delete(id);
  }

  /** Reads what is newer than `position`, oldest first. */
  async function readOn(position: string): Promise<void> {
    let before = position;
    for (let pages = 0; pages < MAX_PAGES && !isStopped(); pages += 1) {
      const { data, has_more: isMore } = await readPage({ limit: PAGE, ending_before: before });
      for (const entry of [...data].reverse()) await takeNew(entry);
      const [newest] = data;
      if (!newest) return;
      const settled = data.find(({ created }) => created <= newest.created - LISTED_WITHIN_S);
      if (settled) {
        await move(settled.id);
        forget(settled);
      }
      before = newest.id;
      if (!isMore) return;
    }
  }

  /** Reads the whole list, newest first. */
  async function readWholeList(): Promise<void> {
    for (let pages = 0; pages < MAX_PAGES && !isStopped(); pages += 1) {
      const { data, has_more: isMore } = await pageBack();
      for (const entry of data) await takeNew(entry);
      const [first, last] = [data[0], data.at(-1)];
      const newest: number = back?.newest ?? first?.created ?? 0;
      const settled: T | undefined = data.find(({ created }) => created <= newest - LISTED_WITHIN_S);
      const position: string | null = back?.position ?? settled?.id ?? null;
      if (settled) forget(settled);
      if (isMore && last) {
        back = { newest, position, after: last.id };
        continue;
      }
      back = null;
      if (position !== null) await move(position);
      return;
    }
  }

  async function pageBack(): Promise<Pick<Stripe.ApiList<T>, 'data' | 'has_more'>> {
    if (back === null) return readPage({ limit: PAGE });
    try {
      return await readPage({ limit: PAGE, starting_after: back.after });
    } catch (error) {
      // Meanwhile, the list's end has moved up to here.
      if (isGone(error)) return { data: [], has_more: false };
      throw error;
    }
  }

  return {
    /** Reads what is new. `position` is the entry to begin behind; null if the whole list has to be read. */
    async read(position: string | null): Promise<void> {
      if (position === null) return readWholeList();
      try {
        await readOn(position);
      } catch (error) {
        if (!isGone(error)) throw error;
        await readWholeList();
      }
    },
  };
}

/**
 * Returns true if Stripe no longer holds the entry at which reading would go on: it has aged out, or the secret key now
 * belongs to another account or mode. Stripe answers with 404, or with 400 if the entry is an event that has aged out.
 */
function isGone(error: unknown): boolean {
  if (!(error instanceof PaymentProviderFailed)) return false;
  return error.code === 'resource_missing' || error.status === 404 || /aged out/.test(error.message);
}
