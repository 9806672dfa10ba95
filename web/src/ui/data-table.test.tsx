import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stubLayout } from '../app/app.fixture.tsx';
import { listenersOf } from '../app/listeners.fixture.ts';
import { DataCell, DataRow, DataTable } from './data-table.tsx';
import { indexNear } from './row-layout.ts';

const ROW = 40;
const MANY = 100_000;
const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => `row ${first + n}`);
const rows = rowsFrom(0, MANY);

const paging = { more: false, loading: false, error: null, load: vi.fn(), reportDepth: vi.fn() };
function Table(props: { rows?: readonly string[]; paging?: Partial<typeof paging> }) {
  return (
    <MantineProvider env="test">
      <DataTable
        label="Rows"
        columns={[{ label: 'Name' }]}
        minWidth={100}
        ids={props.rows ?? rows}
        height={{ row: ROW, card: 200 }}
        paging={{ ...paging, ...props.paging }}
      >
        {(row) => (
          <DataRow changed={false}>
            <DataCell label="Name">
              <button type="button">{row}</button>
            </DataCell>
          </DataRow>
        )}
      </DataTable>
    </MantineProvider>
  );
}

const scrollBy = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  stubLayout();
  vi.stubGlobal('scrollBy', scrollBy);
  // The table starts 100 px below the top of the page.
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 100 - window.scrollY + rowsBegin()),
  );
  vi.stubGlobal('onscrollend', null);
  scrollTo(0);
  scrollEnds();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

function scrollTo(y: number) {
  Object.defineProperty(window, 'scrollY', { value: y, configurable: true });
  act(() => void fireEvent.scroll(window));
}
function scrollEnds() {
  act(() => void fireEvent(window, new Event('scrollend')));
  act(() => void vi.advanceTimersByTime(1000));
}
const rowsBegin = () =>
  Number.parseFloat(
    /translateY\((.*)px\)/.exec(document.querySelector<HTMLElement>('tbody')?.style.transform ?? '')?.[1] ?? '0',
  );
/** A row's distance from the position of the first row, in pixels. */
function placeOf(name: string): number {
  const row = screen.getByRole('button', { name }).closest('tr');
  return rowsBegin() + Number.parseFloat(row?.style.top ?? '');
}
const shown = () => screen.getAllByRole('row').slice(1);
const button = (index: number) => screen.getByRole('button', { name: `row ${index}` });

it('A1 a table of 100,000 rows renders only the rows near the viewport, each with its row index', () => {
  render(<Table />);
  expect(shown().length).toBeLessThan(80);
  expect(shown()[0]?.getAttribute('aria-rowindex')).toBe('2');
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY + 1));
  scrollTo(100 + 50_000 * ROW);
  expect(shown().length).toBeLessThan(80);
  expect(button(50_000).closest('tr')?.getAttribute('aria-rowindex')).toBe('50002');
  expect(screen.queryByRole('button', { name: 'row 0' })).toBeNull();
});

it('A1 a table far below the viewport renders no rows', () => {
  vi.stubGlobal('innerHeight', 1);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, 30 * ROW));
  render(<Table />);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('A1 the page is tall enough for all of the table’s rows, rendered or not', () => {
  render(<Table />);
  scrollTo(100 + 50_000 * ROW);
  expect(document.querySelector<HTMLElement>('tbody')?.style.marginBlockEnd).toBe(`${MANY * ROW}px`);
  expect(placeOf('row 50000')).toBe(50_000 * ROW);
});

it('LIST1 the table requests the next page once, before the last row is visible, and not again if the request fails', () => {
  const few = rowsFrom(0, 300);
  const { rerender } = render(<Table rows={few} paging={{ more: true }} />);
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('-1');
  expect(paging.load).not.toHaveBeenCalled();
  scrollTo(100 + 200 * ROW);
  expect(paging.load).toHaveBeenCalledTimes(1);
  rerender(<Table rows={few} paging={{ more: true, loading: true }} />);
  rerender(<Table rows={few} paging={{ more: true, error: 'no' as never }} />);
  scrollTo(100 + 201 * ROW);
  expect(paging.load).toHaveBeenCalledTimes(1);
});

it('LIST1 the table reports how many rows it needs at the current scroll position, in steps of 500', () => {
  render(<Table />);
  expect(paging.reportDepth).toHaveBeenLastCalledWith(500);
  scrollTo(100 + 1300 * ROW);
  expect(paging.reportDepth).toHaveBeenLastCalledWith(1500);
});

it('LIST1 if rows are inserted above the viewport during a scroll, the scroll position is adjusted only once the scroll has ended', () => {
  const { rerender } = render(<Table />);
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(scrollBy).not.toHaveBeenCalled();
  scrollTo(100 + 500 * ROW);
  const place = placeOf('row 500');
  rerender(<Table rows={['new 3', 'new 2', 'new 1', ...rows]} />);
  // A smooth scroll is in progress, and scrolling the page by script would stop that scroll.
  expect(placeOf('row 500')).toBe(place);
  expect(scrollBy).not.toHaveBeenCalled();
  scrollEnds();
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, 2 * ROW);
  expect(placeOf('row 500')).toBe(place + 2 * ROW);
});

it('LIST1 rows inserted above the viewport do not interrupt a scroll that continues after a scrollend event', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  rerender(<Table rows={['new 1', ...rows]} />);
  act(() => void fireEvent(window, new Event('scrollend')));
  scrollTo(100 + 490 * ROW);
  act(() => void vi.advanceTimersByTime(1000));
  expect(scrollBy).not.toHaveBeenCalled();
  scrollEnds();
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, ROW);
});

it('LIST1 rows inserted just above the viewport do not interrupt a scroll started with a key', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 5 * ROW);
  scrollEnds();
  act(() => void fireEvent.keyDown(window, { key: 'PageDown' }));
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(scrollBy).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1000));
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, ROW);
});

it('LIST1 if rows are inserted just above the viewport while no scroll is in progress, the scroll position is adjusted immediately', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 5 * ROW);
  scrollEnds();
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, ROW);
});

it('LIST1 if the topmost visible row and rows above it are removed, the remaining visible rows stay in place', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  const place = placeOf('row 505');
  // The bar covers the first 64 px of the screen, so the topmost visible row is row 501.
  rerender(<Table rows={[...rowsFrom(0, 501), ...rowsFrom(502, 90_000)].toSpliced(7, 2)} />);
  expect(placeOf('row 505')).toBe(place);
  scrollEnds();
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, -3 * ROW);
});

it('LIST1 a row inserted at the top does not move the visible rows, even if rows above them were removed earlier', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  const without = rows.slice(3);
  rerender(<Table rows={without} />);
  scrollTo(100 - 60);
  const place = placeOf('row 5');
  rerender(<Table rows={['new 1', ...without]} />);
  expect(placeOf('row 5')).toBe(place);
});

it('LIST1 rows inserted at the top before a scroll to the top are shown only once the scroll has ended', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  rerender(<Table rows={['new 2', 'new 1', ...rows]} />);
  scrollTo(0);
  expect(screen.queryByRole('button', { name: 'new 2' })).toBeNull();
  scrollEnds();
  expect(placeOf('new 2')).toBe(0);
  expect(scrollBy).not.toHaveBeenCalled();
});

it('LIST1 a row inserted at the top moves all other rows with a single CSS transform, which is removed for printing', () => {
  const { rerender } = render(<Table />);
  const rowOf = (name: string) => screen.getByRole('button', { name }).closest('tr');
  const top = rowOf('row 3')?.style.top;
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(rowOf('row 3')?.style.top).toBe(top);
  expect(rowOf('row 3')?.getAttribute('aria-rowindex')).toBe('6');
  expect([placeOf('new 1'), placeOf('row 3')]).toEqual([0, 4 * ROW]);
  act(() => void fireEvent(window, new Event('beforeprint')));
  expect([rowsBegin(), placeOf('new 1'), placeOf('row 3')]).toEqual([0, 0, 4 * ROW]);
});

it('the row that contains the focus stays rendered while it is off screen', () => {
  render(<Table />);
  act(() => button(3).focus());
  scrollTo(100 + 5000 * ROW);
  expect(document.activeElement).toBe(button(3));
  act(() => button(3).blur());
  scrollTo(100 + 6000 * ROW);
  expect(screen.queryByRole('button', { name: 'row 3' })).toBeNull();
});

it('A1 a table leaves no listeners or timers behind when it unmounts', () => {
  const listeners = listenersOf(window);
  const { unmount } = render(<Table />);
  act(() => void fireEvent.keyDown(window, { key: 'PageDown' }));
  expect(listeners()).toContain('scroll');
  unmount();
  expect([listeners(), vi.getTimerCount()]).toEqual([[], 0]);
});

it("indexNear() returns a row's index when given an index near it, and returns -1 if the row is missing", () => {
  expect(indexNear(rows, 'row 700', 690)).toBe(700);
  expect(indexNear(rows, 'row 700', 710)).toBe(700);
  expect(indexNear(rowsFrom(0, 5), 'row 9', 2)).toBe(-1);
});
