import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useMeantRow } from './use-meant-row.ts';

const scrollTo = (y: number) => Object.defineProperty(window, 'scrollY', { value: y, configurable: true });

afterEach(() => {
  cleanup();
  scrollTo(0);
  vi.restoreAllMocks();
});

/**
 * Each row is 40 px high. It has a 'select' button at x = 0 to 20 and, if `offers` is true, a 'ship' button at x = 100
 * to 140.
 */
const HEIGHT = 40;
const COLUMNS: Record<string, [from: number, to: number]> = { select: [0, 20], ship: [100, 140] };

interface RowProps {
  id: string;
  offers?: boolean;
  since?: number;
}

function Rows({ rows, onMeant }: { rows: RowProps[]; onMeant: (element: Element | null) => void }) {
  const area = useRef<HTMLDivElement>(null);
  const ids = rows.map(({ id }) => id).join();
  const kept = useRef({ ids, list: rows.map(({ id }) => id) });
  if (kept.current.ids !== ids) kept.current = { ids, list: rows.map(({ id }) => id) };
  const meantBy = useMeantRow(kept.current.list, area);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: it stands in for the board
    <div ref={area} onClick={(event) => onMeant(meantBy(event))}>
      <table>
        <tbody>
          {rows.map(({ id, offers = true, since }, index) => (
            <tr key={id} data-index={index}>
              <td>
                <button type="button" data-action="select">{`select ${id}`}</button>
                <span>{`text ${id}`}</span>
                <span data-since={since}>
                  {offers ? <button type="button" data-action="ship">{`ship ${id}`}</button> : null}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Renders `before` and then each of `after`, with the clock stopped at 10,000 ms. Returns a function that clicks
 * `target` and returns the text of the element that the click was meant for, or null if the click is ignored.
 */
function shift(before: RowProps[], ...after: RowProps[][]) {
  vi.spyOn(performance, 'now').mockReturnValue(10_000);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const top = HEIGHT * Number(this.closest<HTMLElement>('tr')?.dataset.index ?? 0) - window.scrollY;
    const [left, right] = COLUMNS[(this as HTMLElement).dataset.action ?? ''] ?? [0, 200];
    return new DOMRect(left, top, right - left, HEIGHT);
  });
  const meant: (string | null)[] = [];
  const onMeant = (element: Element | null) => meant.push(element?.textContent ?? null);
  const { rerender } = render(<Rows rows={before} onMeant={onMeant} />);
  for (const rows of after) rerender(<Rows rows={rows} onMeant={onMeant} />);
  return (
    target: string,
    { x, y, at = 10_100, detail = 1 }: { x: number; y: number; at?: number; detail?: number },
  ) => {
    const element = screen.getByText(target);
    const click = createEvent.click(element, { clientX: x, clientY: y, detail });
    Object.defineProperty(click, 'timeStamp', { value: at });
    fireEvent(element, click);
    return meant.at(-1);
  };
}

describe('W1 a click right after rows were inserted', () => {
  const AB = [{ id: 'a' }, { id: 'b' }];
  const NAB = [{ id: 'n' }, ...AB];
  const atA = { x: 120, y: 10 };

  it('a click right after a row was inserted counts for the row that was under the pointer before the insertion', () => {
    expect(shift(AB, NAB)('ship n', atA)).toBe('ship a');
  });

  it('a click right after two insertions counts for the row that was under the pointer before the first insertion', () => {
    expect(shift(AB, NAB, [{ id: 'm' }, ...NAB])('ship m', atA)).toBe('ship a');
  });

  it('a click half a second or more after a row was inserted counts for the row that it hits', () => {
    const click = shift(AB, NAB);
    expect(click('ship n', { ...atA, at: 10_499 })).toBe('ship a');
    expect(click('ship n', { ...atA, at: 10_500 })).toBe('ship n');
  });

  it('a click triggered by a key counts for the focused element, even right after a row was inserted', () => {
    expect(shift(AB, NAB)('ship n', { ...atA, detail: 0 })).toBe('ship n');
  });

  it('a click right after a row without a button was inserted counts for the button that was under the pointer before the insertion', () => {
    expect(shift(AB, [{ id: 'n', offers: false }, ...AB])('text n', atA)).toBe('ship a');
  });

  it('a click right after a row was inserted is ignored if the row that was under the pointer before the insertion has no button', () => {
    const A = [{ id: 'a', offers: false }];
    expect(shift(A, [{ id: 'n' }, ...A])('ship n', atA)).toBeNull();
  });

  it('a click right after a row was inserted is ignored if it lands beside a button', () => {
    expect(shift(AB, NAB)('text n', { x: 60, y: 10 })).toBeNull();
  });

  it('a click near a checkbox right after a row was inserted counts for the checkbox that was there before the insertion', () => {
    expect(shift(AB, NAB)('select n', { x: 25, y: 10 })).toBe('select a');
  });

  it('a click right after an insertion and a scroll counts for the row that the scroll alone would have brought under the pointer', () => {
    const click = shift(AB, NAB);
    scrollTo(HEIGHT);
    expect(click('ship a', atA)).toBe('ship b');
  });

  it('a click counts for the row that it hits if new rows were added only below that row, even if the user has scrolled', () => {
    const click = shift(AB, [...AB, { id: 'c' }]);
    scrollTo(2 * HEIGHT);
    expect(click('ship c', atA)).toBe('ship c');
  });

  it('a click right after a row was inserted is ignored if the row that was under the pointer before the insertion has left the list', () => {
    expect(shift(AB, [{ id: 'n' }, { id: 'b' }])('ship n', atA)).toBeNull();
  });
});

it('W1 a click on a control that appeared less than half a second ago is ignored, but a key press is not', () => {
  const rows = [{ id: 'a', since: 9_800 }];
  const click = shift(rows, rows);
  const at = { x: 120, y: 10 };
  expect(click('ship a', { ...at, at: 10_299 })).toBeNull();
  expect(click('ship a', { ...at, at: 10_300 })).toBe('ship a');
  expect(click('ship a', { ...at, at: 10_000, detail: 0 })).toBe('ship a');
});
