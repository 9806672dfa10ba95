import { Button, SegmentedControl, Title, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { BoardCounts } from '@micro-center/services/contracts/order/order-answers.ts';
import { readOrderNumber } from '@micro-center/services/contracts/order/order-number.ts';
import { createContext, type RefObject, useContext, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { LiveListView } from '../../live/live-list-view.tsx';
import { selectIsLive } from '../../live/live-slice.ts';
import { useLiveDispatch, useLiveList } from '../../live/use-live.ts';
import { usePageState } from '../../session/use-page-state.ts';
import { OrderAnnouncer } from '../../shop/orders/order-announcer.tsx';
import { formatAmount } from '../../ui/format.ts';
import { AddressSearchBox, NoMatch, useSearch, useSearchParam, useSearchText } from '../../ui/search-box.tsx';
import { serverNow } from '../../ui/server-clock.ts';
import { EmptyState } from '../../ui/states.tsx';
import { useUntil } from '../../ui/use-now.ts';
import { type BoardFilter, type BoardView, boardOrders, findOrders } from './admin-orders.api.ts';
import { BoardContext } from './board-context.ts';
import { type BoardCommand, keyOf } from './board-keys.ts';
import { BoardNews, NotifyButton } from './board-news.tsx';
import { BoardNotice } from './board-notice.tsx';
import { ExportButton } from './export-button.tsx';
import { KeysHelp } from './keys-help.tsx';
import styles from './manage-orders-page.module.css';
import { OrderBoard } from './order-board.tsx';
import { OrderDrawer } from './order-drawer.tsx';
import { TodayStrip } from './today-strip.tsx';
import { useBoardCounts } from './use-board-figures.ts';
import { useBoardKeys, useKeysOn } from './use-board-keys.ts';
import { useOpenOrder } from './use-open-order.ts';
import { usePackingIsOff } from './use-packing.ts';
import { useShipping } from './use-shipping.ts';

/**
 * Media queries for the screen widths at which a row takes two lines. These widths start at `--tablet-up` and end at
 * `--wide-up`, or at `--huge-up` while an order is open. On narrower screens, a row is shown as a card.
 */
const TWO_LINES = { closed: '(48em <= width < 80em)', open: '(48em <= width < 118em)' };

const ALL = 'all';
const FILTERS: { value: BoardFilter | typeof ALL; label: string }[] = [
  { value: ALL, label: 'All' },
  { value: 'paid', label: 'To deliver' },
  { value: 'unpaid', label: 'Payment pending' },
  { value: 'shipped', label: 'Shipped' },
];

function useBoardView(): BoardView {
  const [params] = useSearchParams();
  const q = useSearchText();
  const filter = FILTERS.find(({ value }) => value === params.get('status'))?.value;
  return { status: filter === ALL ? undefined : filter, q };
}

export default function ManageOrdersPage() {
  const view = useBoardView();
  const page = useRef<HTMLElement>(null);
  const [actions, setActions] = useState<HTMLElement | null>(null);
  const board = {
    shipping: useShipping(),
    actions,
    rows: useRef<(command: BoardCommand) => string | undefined>(null),
    focusFrom: useRef<Element>(null),
    scanTo: useRef<(text: string) => void>(null),
  };
  const { rows, focusFrom, shipping } = board;
  const [unmet, setUnmet] = useState<Unmet>({ text: '', at: 0 });
  const [helping, setHelping] = usePageState('keys of the board', false);
  const [keysOn] = useKeysOn();
  const packingIsOff = usePackingIsOff();
  const showFilter = useSearchParam('status');
  const { id: openOrder, open } = useOpenOrder();
  const opened = openOrder !== null;
  const twoLines = useMediaQuery(opened ? TWO_LINES.open : TWO_LINES.closed, false, { getInitialValueInEffect: false });
  const filter = (value: string | undefined) => showFilter(value === ALL ? undefined : value);

  const filterByKey = (value = ALL) => {
    if (value === (view.status ?? ALL)) return;
    const inRows = document.activeElement?.closest('tbody') !== null;
    if (inRows) page.current?.focus();
    focusFrom.current = inRows ? page.current : null;
    filter(value);
  };
  /** Runs a command. Returns the reason if the command did nothing. */
  const obey = (command: BoardCommand): string | undefined => {
    switch (command) {
      case 'undo':
        return shipping.undo();
      case 'search':
        return page.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus() ?? undefined;
      case 'help':
        return void setHelping(true);
      case 'filter1':
      case 'filter2':
      case 'filter3':
      case 'filter4':
        return void filterByKey(FILTERS[Number(command.at(-1)) - 1]?.value);
    }
    if (rows.current !== null) return rows.current(command);
    if (command !== 'next' && command !== 'previous') return 'the orders were still loading.';
    focusFrom.current = document.activeElement;
    return undefined;
  };
  // Without flushSync, the next key could arrive before React has rendered the result of this command.
  const onCommand = (command: BoardCommand) =>
    flushSync(() => {
      const why = obey(command);
      setUnmet({ text: why === undefined ? '' : `${keyOf(command)} did nothing: ${why}`, at: serverNow() });
    });
  useBoardKeys({ on: keysOn, onCommand, onScan: useScan(open, board.scanTo) });

  return (
    <BoardContext value={board}>
      <section
        ref={page}
        aria-label="Order board"
        tabIndex={-1}
        data-focus-heir
        className={styles.page}
        // The layout is controlled by attributes and not by :has(), which would make the browser restyle every row for
        // each new order.
        data-beside={opened || undefined}
        data-two-lines={twoLines || undefined}
      >
        <BoardNews />
        <div className={styles.head}>
          <Title order={1} size="h2">
            Manage Orders
          </Title>
          <TodayStrip />
        </div>
        <div className={styles.tools}>
          <Filters view={view} onChange={filter} />
          <AddressSearchBox label="Search orders" placeholder="Number, product or customer" />
          <ExportButton view={view} />
          <NotifyButton className={styles.helper} />
          <Button className={styles.helper} size="xs" variant="default" onClick={() => setHelping(true)}>
            Keys <kbd className={styles.key}>?</kbd>
          </Button>
        </div>
        <div className={styles.strip}>
          <div className={styles.actions} ref={setActions} />
          <span className={styles.count} role="status" aria-label="Keys">
            <UnmetKey {...unmet} />
          </span>
          {packingIsOff ? <span className={styles.count}>Packing marks are off</span> : null}
          <BoardNotice
            onUndo={() => {
              page.current?.focus();
              shipping.undo();
            }}
          />
        </div>
        <Board key={`${view.status} ${view.q}`} view={view} />
        <OrderDrawer />
        <KeysHelp opened={helping} onClose={() => setHelping(false)} />
      </section>
    </BoardContext>
  );
}

/** How long the page shows the reason why a key press did nothing, in milliseconds. */
const UNMET_FOR = 6_000;

interface Unmet {
  /** why the last key press did nothing, or '' if it did something */
  text: string;
  /** when the key was pressed, in milliseconds since the epoch according to the shop's clock */
  at: number;
}

const UnmetKey = ({ text, at }: Unmet) => (useUntil(at + UNMET_FOR) ? text : null);

/**
 * Returns a handler for scanned text. If the text is the number of an existing order, the handler opens that order. It
 * passes any other text to the field that accepts scans, or to the search if there is no such field. Text that was
 * scanned into a text field just stays there.
 */
function useScan(open: (id: string) => void, scanTo: RefObject<((text: string) => void) | null>) {
  const dispatch = useLiveDispatch();
  const search = useSearch();
  const newest = useRef('');
  // A scanned order number is looked up with a request. When the response arrives, the handler calls the functions in
  // this ref. They are the current ones, even if the page's URL has changed in the meantime.
  const page = useRef({ open, search });
  page.current = { open, search };
  return async (text: string, typed: boolean) => {
    const scanned = text.trim();
    newest.current = scanned;
    const named = readOrderNumber(scanned);
    const { data = [] } = named === undefined ? {} : await dispatch(findOrders(named));
    if (newest.current !== scanned) return;
    const order = data.find(({ number }) => number === named);
    if (order !== undefined) return page.current.open(order._id);
    if (typed) return;
    if (scanTo.current === null) page.current.search(scanned);
    else scanTo.current(scanned);
  };
}

/**
 * The number of orders that match each filter. The counts are passed through a context, so that new counts don't
 * rerender the filters.
 */
const Counts = createContext<BoardCounts | undefined>(undefined);

function Filters({ view, onChange }: { view: BoardView; onChange: (value: string) => void }) {
  const counts = useBoardCounts(view.q);
  const shown = view.status ?? ALL;
  const filters = useMemo(
    () => (
      <SegmentedControl
        className={styles.shown}
        data={FILTERS.map(({ value, label }) => ({
          value,
          label: (
            <span className={styles.filter}>
              <span>{label}</span>
              <Count of={value} />
            </span>
          ),
        }))}
        value={shown}
        onChange={onChange}
        size="xs"
        aria-label="Orders shown"
        aria-describedby="board-counts"
      />
    ),
    [shown, onChange],
  );
  const words = FILTERS.flatMap(({ value, label }) => {
    const count = counts?.[value] ?? null;
    return count === null ? [] : [`${label} ${count}`];
  }).join(', ');
  return (
    <Counts value={counts}>
      {filters}
      <VisuallyHidden id="board-counts">{words}</VisuallyHidden>
    </Counts>
  );
}

/**
 * The number of orders that match one filter. It is hidden from screen readers, so that it isn't part of the filter's
 * name. Screen readers get all counts from `board-counts`.
 */
function Count({ of }: { of: keyof BoardCounts }) {
  const count = useContext(Counts)?.[of] ?? null;
  return (
    <span aria-hidden="true" className={styles.figure}>
      {count === null ? '' : formatAmount(count)}
    </span>
  );
}

function Board({ view }: { view: BoardView }) {
  const shown = useLiveList(boardOrders(view));
  return (
    <LiveListView shown={shown} what="the orders">
      {(orders, paging) => (
        <>
          <OrderAnnouncer list={orders} gone="is no longer in this list" />
          <OrderBoard orders={orders} paging={paging} empty={<NoOrders view={view} />} />
        </>
      )}
    </LiveListView>
  );
}

/** The text shown for each filter when no order matches it: why the list is empty, and when an order will appear. */
const NOTHING: Record<BoardFilter | typeof ALL, { title: string; next: string }> = {
  all: { title: 'No orders here', next: 'New orders appear here as soon as they are placed.' },
  paid: { title: 'Everything is shipped', next: 'Orders appear here as soon as they are paid.' },
  unpaid: { title: 'Every order is paid', next: 'New orders appear here as soon as they are placed.' },
  shipped: { title: 'Nothing is shipped yet', next: 'Orders appear here as soon as they are shipped.' },
};

function NoOrders({ view }: { view: BoardView }) {
  const live = useSelector(selectIsLive);
  if (view.q !== undefined) return <NoMatch what="order" q={view.q} />;
  const { title, next } = NOTHING[view.status ?? ALL];
  return <EmptyState title={title} text={live ? next : 'New orders appear here once the page has reconnected.'} />;
}
