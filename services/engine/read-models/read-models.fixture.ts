import { afterEach, beforeEach } from 'vitest';
import type { AnyDocument } from '../../contracts/documents.ts';
import type { Page, PageRequest, ReadModels, VersionedId } from './read-models.ts';

/** A set of read models for one test, empty at first. */
export interface ReadModelsHarness {
  readonly readModels: ReadModels;
  /** Closes the read models and opens new ones on the same data. */
  reopen(): Promise<ReadModels>;
  /** Deletes the test's data. Also closes the read models, unless the next test reuses them. */
  dispose(): Promise<void>;
}

export const OLDEST = { sort: 'oldest', limit: 100 } as const;
export const NEWEST = { sort: 'newest', limit: 100 } as const;

export const ids = (documents: readonly VersionedId[]) => documents.map(({ id }) => id);

/** Returns the ids in list order: by creation time, then by id. */
export function byCreation(documents: readonly AnyDocument[]): string[] {
  const key = ({ createdAt, id }: AnyDocument) => `${createdAt} ${id}`;
  return ids([...documents].sort((one, other) => (key(one) < key(other) ? -1 : 1)));
}

/** Reads all pages of a list by following the cursors. `between` runs before every page except the first. */
export async function allPages<D extends AnyDocument, Request extends PageRequest>(
  list: (request: Request) => Promise<Page<D>>,
  request: Request,
  between: () => Promise<void> = async () => {},
): Promise<D[][]> {
  const pages: D[][] = [];
  let page = await list(request);
  for (;;) {
    pages.push(page.items);
    if (page.next === null) return pages;
    await between();
    page = await list({ ...request, cursor: page.next });
  }
}

export type StartReadModels = () => Promise<ReadModelsHarness>;

/**
 * Passes empty read models to `opened` before each test. reopen() closes the read models, opens new ones on the same
 * data, and passes those to `opened`.
 */
export function useReadModels(
  start: StartReadModels,
  opened: (models: ReadModels) => void,
): { reopen(): Promise<void> } {
  let harness: ReadModelsHarness;
  beforeEach(async () => {
    harness = await start();
    opened(harness.readModels);
  });
  afterEach(() => harness.dispose());
  return { reopen: async () => opened(await harness.reopen()) };
}
