// biome-ignore-all lint/a11y/noRedundantRoles: a browser forgets what a table is once its rows are laid out as cards
// biome-ignore-all lint/a11y/useSemanticElements: they are the semantic elements
import {
  type CSSProperties,
  createContext,
  memo,
  type PointerEventHandler,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import styles from './data-table.module.css';
import { type Row, type RowHeight, useVirtualRows } from './use-virtual-rows.ts';

export type Column = {
  label: string;
  /** numbers stand to the right */
  figure?: boolean;
  /** share of the table's width, such as '16%' */
  width?: string;
};

/** How rows that are not loaded yet are had. */
type MoreRows = {
  more: boolean;
  loading: boolean;
  error: unknown;
  load: () => void;
  lookAt: (depth: number) => void;
};

type DataTableProps<R extends Row> = {
  /** the table's accessible name */
  label: string;
  columns: Column[];
  /** in pixels: where there is less, the table scrolls; on a phone each row becomes a card instead */
  minWidth: number;
  dense?: boolean;
  rows: readonly R[];
  height: RowHeight;
  paging: MoreRows;
  onPointerMove?: PointerEventHandler;
  onPointerLeave?: PointerEventHandler;
  /** draws a row; the same function as long as nothing but the rows has changed, so that rows which stay are not drawn again */
  children: (row: R, index: number) => ReactNode;
};

/** The next page is asked for when so many rows or fewer are left below the screen. */
const AHEAD = 100;
/** How deep the screen looks is told in steps of so many rows. */
const DEPTH_STEP = 500;

interface Place {
  index: number;
  measure: (element: HTMLTableRowElement | null) => void;
}
const RowPlace = createContext<Place | null>(null);

/** A table of live rows, of any number: those near the screen alone are in the page. */
export function DataTable<R extends Row>(props: DataTableProps<R>) {
  const { label, columns, minWidth, dense, rows, height, paging, children } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const virtual = useVirtualRows(rows, height, body);
  usePages(paging, rows.length, virtual.items.at(-1)?.index ?? 0);

  const shown: ReactNode[] = [];
  let covered = virtual.top;
  for (const { index, start, end } of virtual.items) {
    const row = rows[index];
    if (row === undefined) continue;
    const above = start - virtual.gap - covered;
    if (above > 0) shown.push(<Gap key={`above ${row._id}`} height={above} />);
    shown.push(
      <PlacedRow key={row._id} row={row} index={index} measure={virtual.measure} draw={children as DrawRow} />,
    );
    covered = end;
  }
  const below = virtual.top + virtual.height - covered;
  return (
    <div className={styles.scroll}>
      <table
        role="table"
        aria-label={label}
        aria-rowcount={paging.more ? -1 : rows.length + 1}
        className={styles.table}
        style={{ '--table-width': `${minWidth}px` } as CSSProperties}
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
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          role="rowgroup"
          onPointerMove={props.onPointerMove}
          onPointerLeave={props.onPointerLeave}
          {...virtual.handlers}
        >
          {shown}
          {below > 0 ? <Gap height={below} /> : null}
        </tbody>
      </table>
    </div>
  );
}

/** Has the next page fetched before the screen comes to the end of what is loaded. */
function usePages({ more, loading, error, load, lookAt }: MoreRows, count: number, lastShown: number): void {
  const near = more && !loading && !error && lastShown + AHEAD >= count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again after each page that has not been enough
  useEffect(() => {
    if (near) load();
  }, [near, count, load]);
  const depth = Math.ceil((lastShown + AHEAD) / DEPTH_STEP) * DEPTH_STEP;
  useEffect(() => {
    lookAt(depth);
  }, [depth, lookAt]);
}

type DrawRow = (row: Row, index: number) => ReactNode;

/** Drawn again when its own row or the way rows are drawn has changed, not because the table has moved. */
const PlacedRow = memo(function PlacedRow({ row, index, measure, draw }: Place & { row: Row; draw: DrawRow }) {
  const place = useMemo(() => ({ index, measure }), [index, measure]);
  return <RowPlace value={place}>{draw(row, index)}</RowPlace>;
});

/** Stands for the rows that are not in the page. */
function Gap({ height }: { height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused
    <tr aria-hidden="true" className={styles.gap}>
      <td style={{ height }} />
    </tr>
  );
}

/** What tells a screen reader and the measuring which row this is. */
function usePlace() {
  const place = useContext(RowPlace);
  if (place === null) throw new Error('A row stands in a DataTable.');
  return { ref: place.measure, 'data-index': place.index, 'aria-rowindex': place.index + 2 };
}

/** One row; `changed` highlights it, `left` says that what it shows is gone. */
export function DataRow({ changed, left, children }: { changed: boolean; left?: boolean; children: ReactNode }) {
  return (
    <tr
      role="row"
      className={styles.row}
      data-changed={changed || undefined}
      data-left={left || undefined}
      {...usePlace()}
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
    <td role="cell" data-label={label} className={figure ? styles.figure : undefined} title={title ?? clip}>
      {clip === undefined ? null : (
        <div className={styles.clip} style={{ '--lines': lines } as CSSProperties}>
          {clip}
        </div>
      )}
      {children === undefined || children === null ? null : <div>{children}</div>}
    </td>
  );
}

/** What belongs to the row above, over the whole width. */
export function DataDetail({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <tr role="row" className={styles.detail} {...usePlace()}>
      <td role="cell" colSpan={columns}>
        {children}
      </td>
    </tr>
  );
}
