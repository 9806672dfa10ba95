// biome-ignore-all lint/a11y/noRedundantRoles: a browser forgets what a table is once its rows are laid out as cards
// biome-ignore-all lint/a11y/useSemanticElements: they are the semantic elements
import { VisuallyHidden } from '@mantine/core';
import { type CSSProperties, createContext, memo, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import styles from './data-table.module.css';
import { type RowHeight, useVirtualRows } from './use-virtual-rows.ts';

export type Column = {
  label: string;
  /** numbers are right-aligned */
  figure?: boolean;
  /** share of the table's width, such as '16%' */
  width?: string;
  /** stands before the label in the head */
  before?: ReactNode;
  /** the label is for screen readers alone */
  hidden?: boolean;
};

/** How to load more rows. */
type MoreRows = {
  more: boolean;
  loading: boolean;
  error: unknown;
  load: () => void;
  reportDepth: (depth: number) => void;
};

type DataTableProps = {
  /** the table's accessible name */
  label: string;
  columns: Column[];
  /** in pixels: where there is less, the table scrolls; on a phone each row becomes a card instead */
  minWidth: number;
  dense?: boolean;
  ids: readonly string[];
  height: RowHeight;
  paging: MoreRows;
  /** renders a row; memoize it, so that only the rows that changed render again */
  children: (id: string) => ReactNode;
};

/** The next page is loaded when this many rows or fewer are left below the screen. */
const AHEAD = 100;
/** The visible depth is reported in steps of this many rows. */
const DEPTH_STEP = 500;

const RowIndex = createContext<number | null>(null);

/** A table of any number of live rows, of which only those near the screen are rendered. */
export function DataTable(props: DataTableProps) {
  const { label, columns, minWidth, dense, ids, height, paging, children } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualRows(ids, height, body);
  usePages(paging, ids.length, virtual.rows.at(-1)?.index ?? 0);

  const shown: ReactNode[] = [];
  let covered = 0;
  for (const { index, id, start, end } of virtual.rows) {
    if (start > covered) shown.push(<Gap key={`above ${id}`} height={start - covered} />);
    shown.push(<PlacedRow key={id} id={id} index={index} draw={children} />);
    covered = end;
  }
  const below = virtual.height - covered;
  return (
    <div className={styles.scroll}>
      <table
        role="table"
        aria-label={label}
        aria-rowcount={paging.more ? -1 : ids.length + 1}
        className={styles.table}
        style={{ '--table-width': `${minWidth}px`, '--row-height': `${virtual.rowHeight}px` } as CSSProperties}
        data-dense={dense || undefined}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.label} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.label} role="columnheader" className={column.figure ? styles.figure : undefined}>
                {column.before}
                {column.hidden ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup" {...virtual.handlers}>
          {shown}
          {below > 0 ? <Gap height={below} /> : null}
        </tbody>
      </table>
    </div>
  );
}

/** Loads the next page before scrolling reaches the end of the loaded rows. */
function usePages({ more, loading, error, load, reportDepth }: MoreRows, count: number, lastShown: number): void {
  const near = more && !loading && !error && lastShown + AHEAD >= count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each page that has not been enough
  useEffect(() => {
    if (near) load();
  }, [near, count, load]);
  const depth = Math.ceil((lastShown + AHEAD) / DEPTH_STEP) * DEPTH_STEP;
  useEffect(() => {
    reportDepth(depth);
  }, [depth, reportDepth]);
}

interface PlacedRowProps {
  id: string;
  index: number;
  draw: (id: string) => ReactNode;
}

/** When a row moves, only what shows its place renders again, not the row. */
const PlacedRow = memo(function PlacedRow({ id, index, draw }: PlacedRowProps) {
  const row = useMemo(() => draw(id), [draw, id]);
  return <RowIndex value={index}>{row}</RowIndex>;
});

/** Takes the space of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
    <tr aria-hidden="true" className={styles.gap}>
      <td style={{ height }} />
    </tr>
  );
}

function useRowIndex(): number {
  const index = useContext(RowIndex);
  if (index === null) throw new Error('A row stands in a DataTable.');
  return index;
}

/** Identifies the row to screen readers and to the virtualizer. */
function useRowAttributes() {
  const index = useRowIndex();
  return { 'data-index': index, 'aria-rowindex': index + 2 };
}

/** The row's number on the screen, from 1. */
export const RowNumber = () => useRowIndex() + 1;

interface DataRowProps {
  /** highlights it */
  changed: boolean;
  /** marks it as gone */
  left?: boolean;
  selected?: boolean;
  children: ReactNode;
}

export function DataRow({ changed, left, selected, children }: DataRowProps) {
  return (
    <tr
      role="row"
      className={styles.row}
      data-changed={changed || undefined}
      data-left={left || undefined}
      data-selected={selected || undefined}
      {...useRowAttributes()}
    >
      {children}
    </tr>
  );
}

type DataCellProps = {
  /** the column's name, shown beside the value where the row is a card */
  label: string;
  figure?: boolean;
  /** text that is cut where it takes more than `lines`; the whole text is its title */
  clip?: string;
  lines?: number;
  title?: string;
  children?: ReactNode;
};

export function DataCell({ label, figure, clip, lines = 2, title, children }: DataCellProps) {
  return (
    <td
      role="cell"
      data-label={label}
      className={figure ? styles.figure : undefined}
      title={title ?? clip}
      style={clip === undefined ? undefined : ({ '--lines': lines } as CSSProperties)}
    >
      {clip === undefined ? null : <div className={styles.clip}>{clip}</div>}
      {children === undefined || children === null ? null : <div>{children}</div>}
    </td>
  );
}
