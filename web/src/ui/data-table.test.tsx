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
  // The table begins 100 px below the top of the page.
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
/** How far below the first row's place a row stands, in pixels. */
function placeOf(name: string): number {
  const row = screen.getByRole('button', { name }).closest('tr');
  return rowsBegin() + Number.parseFloat(row?.style.top ?? '');
}
const shown = () => screen.getAllByRole('row').slice(1);
const button = (index: number) => screen.getByRole('button', { name: `row ${index}` });

it('A1 of a hundred thousand rows those near the screen alone are in the page, and each says which it is', () => {
  render(<Table />);
  expect(shown().length).toBeLessThan(80);
  expect(shown()[0]?.getAttribute('aria-rowindex')).toBe('2');
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe(String(MANY + 1));
  scrollTo(100 + 50_000 * ROW);
  expect(shown().length).toBeLessThan(80);
  expect(button(50_000).closest('tr')?.getAttribute('aria-rowindex')).toBe('50002');
  expect(screen.queryByRole('button', { name: 'row 0' })).toBeNull();
});

it('A1 of a table far below the screen no row is in the page', () => {
  vi.stubGlobal('innerHeight', 1);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(() => new DOMRect(0, 30 * ROW));
  render(<Table />);
  expect(screen.queryAllByRole('button')).toEqual([]);
});

it('A1 the page is as long as all of its rows', () => {
  render(<Table />);
  scrollTo(100 + 50_000 * ROW);
  expect(document.querySelector<HTMLElement>('tbody')?.style.marginBlockEnd).toBe(`${MANY * ROW}px`);
  expect(placeOf('row 50000')).toBe(50_000 * ROW);
});

it('LIST1 the next page is asked for before the last row is on the screen, once, and not after it has failed', () => {
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

it('LIST1 says how deep the screen looks, in steps', () => {
  render(<Table />);
  expect(paging.reportDepth).toHaveBeenLastCalledWith(500);
  scrollTo(100 + 1300 * ROW);
  expect(paging.reportDepth).toHaveBeenLastCalledWith(1500);
});

it('LIST1 rows that enter above the screen do not move what is on it; those at its top do', () => {
  const { rerender } = render(<Table />);
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(scrollBy).not.toHaveBeenCalled();
  scrollTo(100 + 500 * ROW);
  const place = placeOf('row 500');
  rerender(<Table rows={['new 3', 'new 2', 'new 1', ...rows]} />);
  // The browser is scrolling smoothly, and what scrolls the page by script would end that.
  expect(placeOf('row 500')).toBe(place);
  expect(scrollBy).not.toHaveBeenCalled();
  scrollEnds();
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, 2 * ROW);
  expect(placeOf('row 500')).toBe(place + 2 * ROW);
});

it('LIST1 rows that entered above the screen do not stop a scroll that goes on after one by script has ended', () => {
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

it('LIST1 rows that enter just above the screen do not stop a scroll that a key begins', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 5 * ROW);
  scrollEnds();
  act(() => void fireEvent.keyDown(window, { key: 'PageDown' }));
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(scrollBy).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1000));
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, ROW);
});

it('LIST1 rows that enter just above the screen have their room at once after a scroll has ended', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 5 * ROW);
  scrollEnds();
  rerender(<Table rows={['new 1', ...rows]} />);
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, ROW);
});

it('LIST1 rows that leave and enter above the screen, its topmost row too, leave what is on it where it is', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  const place = placeOf('row 505');
  // The bar covers the first 64 px of the screen, and what stands there is the first row but one.
  rerender(<Table rows={[...rowsFrom(0, 501), ...rowsFrom(502, 90_000)].toSpliced(7, 2)} />);
  expect(placeOf('row 505')).toBe(place);
  scrollEnds();
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith(0, -3 * ROW);
});

it('LIST1 a row that enters leaves the screen as it is where that begins with the rooms of rows that left', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  const without = rows.slice(3);
  rerender(<Table rows={without} />);
  scrollTo(100 - 60);
  const place = placeOf('row 5');
  rerender(<Table rows={['new 1', ...without]} />);
  expect(placeOf('row 5')).toBe(place);
});

it('LIST1 rows that entered while the page scrolled are there once it has come to the top', () => {
  const { rerender } = render(<Table />);
  scrollTo(100 + 500 * ROW);
  rerender(<Table rows={['new 2', 'new 1', ...rows]} />);
  scrollTo(0);
  expect(screen.queryByRole('button', { name: 'new 2' })).toBeNull();
  scrollEnds();
  expect(placeOf('new 2')).toBe(0);
  expect(scrollBy).not.toHaveBeenCalled();
});

it('LIST1 a row that enters at the top moves all others in one step, but for paper, which would cut them', () => {
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

it('the row that holds the focus stays in the page while it is out of sight', () => {
  render(<Table />);
  act(() => button(3).focus());
  scrollTo(100 + 5000 * ROW);
  expect(document.activeElement).toBe(button(3));
  act(() => button(3).blur());
  scrollTo(100 + 6000 * ROW);
  expect(screen.queryByRole('button', { name: 'row 3' })).toBeNull();
});

it('A1 a table that has gone listens to nothing and keeps no timer', () => {
  const listeners = listenersOf(window);
  const { unmount } = render(<Table />);
  act(() => void fireEvent.keyDown(window, { key: 'PageDown' }));
  expect(listeners()).toContain('scroll');
  unmount();
  expect([listeners(), vi.getTimerCount()]).toEqual([[], 0]);
});

it('a row is found near where it was', () => {
  expect(indexNear(rows, 'row 700', 690)).toBe(700);
  expect(indexNear(rows, 'row 700', 710)).toBe(700);
  expect(indexNear(rowsFrom(0, 5), 'row 9', 2)).toBe(-1);
});
