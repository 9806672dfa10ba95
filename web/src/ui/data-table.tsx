// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the table semantics once rows are laid out as cards
// biome-ignore-all lint/a11y/useSemanticElements: these elements are semantic already
import { VisuallyHidden } from '@mantine/core';
import {
  type CSSProperties,
  createContext,
  memo,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import styles from './data-table.module.css';
import { languageOf } from './language.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { type FocusedRow, type RowHeight, type RowPlace, useVirtualRows } from './use-virtual-rows.ts';

export type Column = {
  label: string;
  /** whether the column contains numbers, which are right-aligned */
  figure?: boolean;
  /** share of the table's width, such as '16%' */
  width?: string;
  /** shown before the label in the column header */
  before?: ReactNode;
  /** hides the label from view, but not from screen readers */
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
  /**
   * the table's minimum width, in pixels. If less space is available, the table scrolls sideways. On a phone, each row
   * is displayed as a card instead.
   */
  minWidth: number;
  /**
   * shows row numbers, hidden from screen readers. `--numbers-start` and `--numbers-width` set their position and
   * width.
   */
  numbered?: boolean;
  ids: readonly string[];
  height: RowHeight;
  paging: MoreRows;
  /** renders a row. Memoize this function, so that only changed rows render again. */
  children: (id: string) => ReactNode;
};

/** The next page is loaded when at most this many loaded rows are left below the last rendered row. */
const AHEAD = 100;
/** `reportDepth` is called with the number of rows that the screen needs, rounded up to a multiple of this number. */
const DEPTH_STEP = 500;

/** Registers a row's element and positions it. Returns a function that unregisters it. */
type Enter = (id: string, row: HTMLTableRowElement) => () => void;
const Rows = createContext<Enter | null>(null);
const RowId = createContext('');

/** A table of any number of live rows. Renders only the rows near the screen. */
export function DataTable(props: DataTableProps) {
  const { label, columns, minWidth, numbered, ids, height, paging, children } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const focused = useRef<FocusedRow | null>(null);
  const virtual = useVirtualRows(ids, height, body, focused);
  const enter = usePlaces(virtual.rows);
  usePages(paging, ids.length, virtual.rows.at(-1)?.index ?? 0);
  useKeptFocus();

  return (
    <div className={styles.scroll}>
      <table
        role="table"
        aria-label={label}
        aria-rowcount={paging.more ? -1 : ids.length + 1}
        className={styles.table}
        style={
          {
            '--table-width': `${minWidth}px`,
            '--row-height': `${virtual.rowHeight}px`,
            '--row-pitch': `${virtual.pitch}px`,
            '--digits': String(ids.length).length,
            '--columns': columns.map(({ width = 'minmax(0, 1fr)' }) => width).join(' '),
          } as CSSProperties
        }
      >
        <Heads columns={columns} />
        {numbered ? <RowNumbers {...virtual} /> : null}
        <tbody
          ref={body}
          role="rowgroup"
          style={{ marginBlockEnd: virtual.height, transform: `translateY(${virtual.offset}px)` }}
          onFocus={({ target }) => {
            const index = Number(target.closest('tr')?.dataset.index);
            focused.current = { id: ids[index] ?? '', index };
          }}
          onBlur={() => {
            focused.current = null;
          }}
        >
          <Rows value={enter}>
            {virtual.rows.map(({ id }) => (
              <PlacedRow key={id} id={id} draw={children} />
            ))}
          </Rows>
        </tbody>
      </table>
    </div>
  );
}

const Heads = memo(function Heads({ columns }: { columns: Column[] }) {
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {columns.map((column) => (
          <th
            key={column.label}
            role="columnheader"
            data-label={column.label}
            className={column.figure ? styles.figure : undefined}
          >
            {column.before}
            {column.hidden ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label}
          </th>
        ))}
      </tr>
    </thead>
  );
});

/** Loads the next page before scrolling reaches the end of the loaded rows. */
function usePages({ more, loading, error, load, reportDepth }: MoreRows, count: number, lastShown: number): void {
  const near = more && !loading && !error && lastShown + AHEAD >= count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `count` loads another page if one was not enough
  useEffect(() => {
    if (near) load();
  }, [near, count, load]);
  const depth = Math.ceil((lastShown + AHEAD) / DEPTH_STEP) * DEPTH_STEP;
  useEffect(() => {
    reportDepth(depth);
  }, [depth, reportDepth]);
}

/** Memoized, so that a row that only moves isn't rendered again. */
const PlacedRow = memo(function PlacedRow({ id, draw }: { id: string; draw: (id: string) => ReactNode }) {
  const row = useMemo(() => draw(id), [draw, id]);
  return <RowId value={id}>{row}</RowId>;
});

/**
 * Sets the position of each row in `rows` directly in the DOM instead of through React, because one push can move all
 * rows. Also sets each row's `aria-rowindex`, which screen readers use, and its `data-index`, which the order board
 * uses.
 */
function usePlaces(rows: readonly RowPlace[]): Enter {
  const places = useRef<ReadonlyMap<string, RowPlace>>(new Map());
  const elements = useRef(new Map<string, HTMLTableRowElement>());
  places.current = new Map(rows.map((row) => [row.id, row]));
  const place = useCallback((id: string) => {
    const [element, to] = [elements.current.get(id), places.current.get(id)];
    if (!element || !to) return;
    element.style.top = `${to.top}px`;
    if (element.dataset.index === String(to.index)) return;
    element.dataset.index = String(to.index);
    element.setAttribute('aria-rowindex', String(to.index + 2));
    const number = element.querySelector('[data-row-number]');
    if (number !== null) number.textContent = String(to.index + 1);
  }, []);
  useLayoutEffect(() => {
    for (const { id } of rows) place(id);
  }, [rows, place]);
  return useCallback(
    (id, row) => {
      elements.current.set(id, row);
      place(id);
      return () => void elements.current.delete(id);
    },
    [place],
  );
}

/** The row's number, counted from 1 and updated as the row moves. */
export const RowNumber = () => <span data-row-number />;

/**
 * The row numbers, in a separate layer that doesn't move with the rows. Numbers inside the rows would have to be
 * redrawn whenever the rows move.
 */
function RowNumbers({ range, height, roomless, pitch }: ReturnType<typeof useVirtualRows>) {
  const { first, last } = range;
  const numbers = useMemo(
    () =>
      Array.from({ length: last - first + 1 }, (_, n) => first + n).map((index) => (
        <tr key={index} style={{ top: (index - roomless) * pitch }}>
          <td>{index + 1}</td>
        </tr>
      )),
    [first, last, roomless, pitch],
  );
  return (
    <tbody aria-hidden="true" className={styles.numbers} style={{ height }}>
      {numbers}
    </tbody>
  );
}

interface DataRowProps {
  /** highlights the row */
  changed: boolean;
  /** strikes through a row that is no longer in the list */
  left?: boolean;
  selected?: boolean;
  children: ReactNode;
}

export function DataRow({ changed, left, selected, children }: DataRowProps) {
  const enter = useContext(Rows);
  const id = useContext(RowId);
  return (
    <tr
      ref={useCallback((row: HTMLTableRowElement) => enter?.(id, row), [enter, id])}
      role="row"
      className={styles.row}
      data-changed={changed || undefined}
      data-left={left || undefined}
      data-selected={selected || undefined}
    >
      {children}
    </tr>
  );
}

type DataCellProps = {
  /**
   * the column's name, shown next to the value when the row is displayed as a card. Stylesheets place the cell by it, e.g.
   * order-board.module.css
   */
  label: string;
  figure?: boolean;
  /** text that is clipped after `lines` lines. By default, the full text is the cell's title. */
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
      {clip === undefined ? null : (
        <div className={styles.clip} lang={languageOf(clip)}>
          {clip}
        </div>
      )}
      {children === undefined || children === null ? null : <div>{children}</div>}
    </td>
  );
}
