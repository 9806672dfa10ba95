import type { ComponentProps } from 'react';
import { DataRow } from '../ui/data-table.tsx';
import { useIsChanged } from './use-live.ts';

type LiveRowProps = Omit<ComponentProps<typeof DataRow>, 'changed'> & { id: string };

/** A row of a live table. Highlighting the row doesn't re-render its cells. */
export function LiveRow({ id, ...row }: LiveRowProps) {
  return <DataRow {...row} changed={useIsChanged(id)} />;
}
