import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useImperativeHandle, useMemo, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { useNavigate } from 'react-router-dom';
import type { Paging } from '../../live/paging.ts';
import type { LoadedList } from '../../live/use-live.ts';
import { useMeantRow } from '../../live/use-meant-row.ts';
import { useSteadyList } from '../../live/use-steady-ids.ts';
import { NEW_DRAFT } from '../../session/draft.ts';
import { draftChanged } from '../../session/page-state.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { CancelOrderDialog } from '../../shop/orders/cancel-order-dialog.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { leftToRefund, slipsOf } from './admin-orders.api.ts';
import { BoardActions } from './board-actions.tsx';
import { useBoard } from './board-context.ts';
import type { BoardCommand } from './board-keys.ts';
import styles from './order-board.module.css';
import { OrderRow, type RowAction, SelectBox } from './order-row.tsx';
import { refundDraft } from './refund-form.tsx';
import { focusRow, rowIndexOf } from './row-focus.ts';
import { useOpenOrder } from './use-open-order.ts';
import { useSelection } from './use-selection.ts';
import { useShipRows } from './use-ship-rows.ts';

/** Row and card heights, in pixels. The table header and 14 rows fit on a 1280 x 800 screen. */
const HEIGHT = { row: 36, card: 114 };

const columns = (selectAll: ReactNode): Column[] => [
  { label: 'No.', width: '12.5%', before: selectAll },
  { label: 'Product', width: '11%' },
  { label: 'Customer', width: '9.5%' },
  { label: 'Address', width: '12.75%' },
  { label: 'Contact', width: '9.5%' },
  { label: 'Quantity', figure: true, width: '6.5%' },
  { label: 'Price', figure: true, width: '8%' },
  { label: 'Status', width: '13.75%' },
  { label: 'Total', figure: true, width: '7.5%' },
  { label: 'Age', figure: true, width: '5.5%' },
  { label: 'Cancel', width: '3.5%', hidden: true },
];

interface OrderBoardProps {
  orders: LoadedList;
  paging: Paging;
  /** shown if there are no orders */
  empty: ReactNode;
}

/**
 * Shows all customers' orders, with live updates, in dense rows that don't move while an admin is using them (A1-A3).
 */
export function OrderBoard({ orders, paging, empty }: OrderBoardProps) {
  const { shipping, rows, focusFrom } = useBoard();
  const { open } = useOpenOrder();
  const navigate = useNavigate();
  const dispatch = useDispatch();
  const area = useRef<HTMLDivElement>(null);
  const { ids, left, waiting, showWaiting, handlers } = useSteadyList(orders);
  const meantBy = useMeantRow(ids, area);
  const { selected, toggle, selectAsFar, select, clear } = useSelection(orders.path, ids);
  const [cancelling, setCancelling] = usePageState<OrderView | null>('cancelling on the board', null);

  const { orderOf, shipRow, shipAll } = useShipRows(ids, area);
  const shipSelected = (): string | undefined => {
    const why = shipAll(selected);
    if (why === undefined) clear();
    return why;
  };

  const click = (event: MouseEvent<HTMLElement>) => {
    const meant = meantBy(event);
    const pressed = meant?.closest<HTMLElement>('[data-action]') ?? null;
    const action = pressed?.dataset.action as RowAction | undefined;
    if (action === 'select' && pressed?.closest('thead')) return selectAll();
    const index = rowIndexOf(meant);
    const id = ids[index];
    if (id === undefined || pressed?.matches(':disabled')) return;
    switch (action) {
      case 'select':
        return event.shiftKey ? selectAsFar(id) : toggle(id);
      case 'cancel':
        return setCancelling(orderOf(id) ?? null);
      case 'ship':
        // The second click of a double click never ships an order. The first click may have opened an order, and
        // opening the order's drawer may have moved a DELIVER button under the pointer.
        if (event.detail < 2) shipRow(id, 'ship');
        return;
      case undefined:
        if (!window.getSelection()?.isCollapsed) return;
    }
    focusRow(area.current, index, 'open');
    open(id);
  };

  const selectAll = () => (selected.size > 0 ? clear() : select());
  const print = (some: readonly string[]) => void navigate(slipsOf(some));
  /** Opens an order with its refund form. Returns the reason if nothing of its payment can be refunded. */
  const refund = (id: string): string | undefined => {
    const order = orderOf(id);
    if (order === undefined) return 'this order is cancelled.';
    if (leftToRefund(order) === 0)
      return `${order.number} ${order.paid ? 'has no money left to refund' : 'is not paid yet'}.`;
    dispatch(draftChanged({ form: refundDraft(id), draft: NEW_DRAFT }));
    return void open(id);
  };
  const obey = (command: BoardCommand): string | undefined => {
    const index = rowIndexOf(document.activeElement);
    const id = ids[index];
    const focused = (document.activeElement?.closest<HTMLElement>('[data-action]')?.dataset.action ??
      'open') as RowAction;
    const goTo = (to: number) => focusRow(area.current, index === -1 ? 'top' : to, focused);
    if (command === 'next') return void goTo(Math.min(index + 1, ids.length - 1));
    if (command === 'previous') return void goTo(Math.max(index - 1, 0));
    if (command === 'selectAll') return void select();
    if (selected.size > 0 && command === 'ship') return shipSelected();
    if (selected.size > 0 && command === 'print') return print([...selected]);
    if (id === undefined) return 'no order has the focus. j goes to the first.';
    switch (command) {
      case 'open':
        return void open(id);
      case 'select':
        return void toggle(id);
      case 'selectRange':
        return void selectAsFar(id);
      case 'ship':
        return shipRow(id, focused);
      case 'print':
        return print([id]);
      case 'refund':
        return refund(id);
      default:
        return undefined;
    }
  };
  useImperativeHandle(rows, () => obey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only for the first rows of a list, not for rows that arrive later
  useEffect(() => {
    if (focusFrom.current === document.activeElement) focusRow(area.current, 0, 'open');
    focusFrom.current = null;
  }, []);

  const drawRow = useCallback(
    (id: string) => <OrderRow id={id} left={left.has(id)} selected={selected.has(id)} line={shipping.lines.get(id)} />,
    [left, selected, shipping.lines],
  );
  const some = selected.size === 0 ? false : selected.size < ids.length ? ('mixed' as const) : true;
  const heads = useMemo(() => columns(<SelectBox label="Select all orders" checked={some} />), [some]);
  const chosen = useMemo(() => [...selected], [selected]);
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: keys press the buttons inside, which then fire click */}
      <div ref={area} className={styles.board} onClick={click} {...handlers}>
        {ids.length === 0 ? (
          empty
        ) : (
          <DataTable label="Orders" columns={heads} minWidth={980} numbered ids={ids} height={HEIGHT} paging={paging}>
            {drawRow}
          </DataTable>
        )}
      </div>
      <BoardActions
        selected={chosen}
        waiting={waiting}
        onShip={shipSelected}
        onPrint={() => print(chosen)}
        onClear={clear}
        onShowWaiting={() => {
          showWaiting();
          window.scrollTo({ top: 0 });
          requestAnimationFrame(() => focusRow(area.current, 0, 'open'));
        }}
      />
      <CancelOrderDialog byAdmin order={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}
