import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useChangedRows } from './use-changed-rows.ts';
import { useSteadyRows } from './use-steady-rows.ts';

interface Row {
  _id: string;
  version: number;
}
const row = (id: string, version = 1): Row => ({ _id: id, version });

function Rows({ items, ended = [] }: { items: Row[]; ended?: string[] }) {
  const changed = useChangedRows(items);
  const { rows, waiting, handlers } = useSteadyRows(items, (id) => ended.includes(id));
  const text = rows.map(
    ({ view, left }) => `${view._id}@${view.version}${left ? ' left' : ''}${changed.has(view._id) ? ' changed' : ''}`,
  );
  return (
    <div data-testid="rows" data-waiting={waiting} {...handlers}>
      {text.join(', ')}
    </div>
  );
}
const shown = () => screen.getByTestId('rows');
// jsdom has no PointerEvent of its own that carries a pointer type.
const aim = (pointerType = 'mouse') => {
  const event = new MouseEvent('pointermove', { bubbles: true });
  Object.defineProperty(event, 'pointerType', { value: pointerType });
  fireEvent(shown(), event);
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('a row under an aiming mouse stays where it is while others enter and leave', () => {
  const { rerender } = render(<Rows items={[row('b'), row('a')]} />);
  aim();
  rerender(<Rows items={[row('c'), row('a', 2)]} />);
  expect(shown().textContent).toBe('b@1 left, a@2 changed');
  expect(shown().dataset.waiting).toBe('1');
  act(() => void vi.advanceTimersByTime(3000));
  expect(shown().textContent).toBe('c@1, a@2');
  expect(shown().dataset.waiting).toBe('0');
});

it('what this person ended goes at once, and a finger holds nothing', () => {
  const { rerender } = render(<Rows items={[row('b'), row('a')]} />);
  aim();
  rerender(<Rows items={[row('a')]} ended={['b']} />);
  expect(shown().textContent).toBe('a@1');
  act(() => void vi.advanceTimersByTime(3000));
  aim('touch');
  rerender(<Rows items={[row('c'), row('a')]} />);
  expect(shown().textContent).toContain('c@1');
});

it('a changed row is highlighted for one second, and what is loaded at first is not', () => {
  const { rerender } = render(<Rows items={[row('a'), row('b')]} />);
  expect(shown().textContent).toBe('a@1, b@1');
  rerender(<Rows items={[row('a', 2), row('b')]} />);
  expect(shown().textContent).toBe('a@2 changed, b@1');
  act(() => void vi.advanceTimersByTime(600));
  rerender(<Rows items={[row('a', 2), row('b', 2)]} />);
  act(() => void vi.advanceTimersByTime(400));
  expect(shown().textContent).toBe('a@2, b@2 changed');
  act(() => void vi.advanceTimersByTime(600));
  expect(shown().textContent).toBe('a@2, b@2');
});
