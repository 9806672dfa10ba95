import { Table } from '@mantine/core';
import {
  type CSSProperties,
  createContext,
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

/**
 * A table of live rows, of any number: those near the screen alone are in the page. The roles are spelled out, since a
 * browser forgets what a table is once its rows are laid out as cards.
 */
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
      <PlacedRow key={row._id} index={index} measure={virtual.measure}>
        {children(row, index)}
      </PlacedRow>,
    );
    covered = end;
  }
  const below = virtual.top + virtual.height - covered;
  return (
    <div className={styles.scroll}>
      <Table
        role="table"
        aria-label={label}
        aria-rowcount={paging.more ? -1 : rows.length + 1}
        verticalSpacing={dense ? 2 : 'xs'}
        horizontalSpacing={dense ? 8 : 'sm'}
        className={styles.table}
        style={{ '--table-width': `${minWidth}px` } as CSSProperties}
        data-dense={dense || undefined}
      >
        <colgroup>
          {columns.map((column) => (
            <col key={column.label} style={{ width: column.width }} />
          ))}
        </colgroup>
        <Table.Thead role="rowgroup">
          <Table.Tr role="row" aria-rowindex={1}>
            {columns.map((column) => (
              <Table.Th key={column.label} role="columnheader" className={column.figure ? styles.figure : undefined}>
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody
          ref={body}
          role="rowgroup"
          onPointerMove={props.onPointerMove}
          onPointerLeave={props.onPointerLeave}
          {...virtual.handlers}
        >
          {shown}
          {below > 0 ? <Gap height={below} /> : null}
        </Table.Tbody>
      </Table>
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

function PlacedRow({ index, measure, children }: Place & { children: ReactNode }) {
  const place = useMemo(() => ({ index, measure }), [index, measure]);
  return <RowPlace value={place}>{children}</RowPlace>;
}

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
    <Table.Tr
      role="row"
      className={styles.row}
      data-changed={changed || undefined}
      data-left={left || undefined}
      {...usePlace()}
    >
      {children}
    </Table.Tr>
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
    <Table.Td role="cell" data-label={label} className={figure ? styles.figure : undefined} title={title ?? clip}>
      {clip === undefined ? null : (
        <div className={styles.clip} style={{ '--lines': lines } as CSSProperties}>
          {clip}
        </div>
      )}
      {children === undefined || children === null ? null : <div>{children}</div>}
    </Table.Td>
  );
}

/** What belongs to the row above, over the whole width. */
export function DataDetail({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <Table.Tr role="row" className={styles.detail} {...usePlace()}>
      <Table.Td role="cell" colSpan={columns}>
        {children}
      </Table.Td>
    </Table.Tr>
  );
}
