import { useEffect, useRef, useState } from 'react';

/** How long a changed row stays highlighted, in milliseconds. */
export const HIGHLIGHT_FOR = 1000;

interface Versioned {
  _id: string;
  version: number;
}

/** What a new state of a list brings that the one before had not: ids that are new or have a higher version. */
export function changedIds(before: readonly Versioned[], after: readonly Versioned[]): string[] {
  const versions = new Map(before.map((view) => [view._id, view.version]));
  return after.filter((view) => (versions.get(view._id) ?? 0) < view.version).map((view) => view._id);
}

/** The ids whose rows changed within the last second. What is loaded at first counts as no change. */
export function useChangedRows(items: readonly Versioned[] | undefined): ReadonlySet<string> {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const before = useRef<readonly Versioned[] | undefined>(undefined);

  useEffect(() => {
    const ids = before.current && items ? changedIds(before.current, items) : [];
    before.current = items;
    if (ids.length === 0) return;
    setChanged((current) => new Set([...current, ...ids]));
    // Not cleared when the next change comes: each row keeps its own second.
    setTimeout(() => setChanged((current) => new Set([...current].filter((id) => !ids.includes(id)))), HIGHLIGHT_FOR);
  }, [items]);

  return changed;
}
