import { Table } from '@mantine/core';
import type { CSSProperties, PointerEventHandler, ReactNode } from 'react';
import styles from './data-table.module.css';

export type Column = {
  label: string;
  /** numbers stand to the right */
  figure?: boolean;
  /** share of the table's width, such as '16%' */
  width?: string;
};

type DataTableProps = {
  /** the table's accessible name */
  label: string;
  columns: Column[];
  /** in pixels: where there is less, the table scrolls; on a phone each row becomes a card instead */
  minWidth: number;
  dense?: boolean;
  onPointerMove?: PointerEventHandler;
  onPointerLeave?: PointerEventHandler;
  children: ReactNode;
};

/**
 * A table of live rows. The roles are spelled out, since a browser forgets what a table is once its rows are laid out as
 * cards.
 */
export function DataTable({
  label,
  columns,
  minWidth,
  dense,
  onPointerMove,
  onPointerLeave,
  children,
}: DataTableProps) {
  return (
    <div className={styles.scroll}>
      <Table
        role="table"
        aria-label={label}
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
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th key={column.label} role="columnheader" className={column.figure ? styles.figure : undefined}>
                {column.label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup" onPointerMove={onPointerMove} onPointerLeave={onPointerLeave}>
          {children}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** One row; `changed` highlights it, `left` says that what it shows is gone. */
export function DataRow({ changed, left, children }: { changed: boolean; left?: boolean; children: ReactNode }) {
  return (
    <Table.Tr role="row" className={styles.row} data-changed={changed || undefined} data-left={left || undefined}>
      {children}
    </Table.Tr>
  );
}

type DataCellProps = {
  /** the column's name, shown beside the value where the row is a card */
  label: string;
  figure?: boolean;
  /** one line, cut where it is too long; the whole text is its title */
  clip?: string;
  title?: string;
  children?: ReactNode;
};

export function DataCell({ label, figure, clip, title, children }: DataCellProps) {
  return (
    <Table.Td role="cell" data-label={label} className={figure ? styles.figure : undefined} title={title ?? clip}>
      {clip === undefined ? null : <div className={styles.clip}>{clip}</div>}
      {children === undefined || children === null ? null : <div>{children}</div>}
    </Table.Td>
  );
}

/** What belongs to the row above, over the whole width. */
export function DataDetail({ columns, children }: { columns: number; children: ReactNode }) {
  return (
    <Table.Tr role="row" className={styles.detail}>
      <Table.Td role="cell" colSpan={columns}>
        {children}
      </Table.Td>
    </Table.Tr>
  );
}
