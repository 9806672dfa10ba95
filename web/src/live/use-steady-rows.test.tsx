import type { ReviewView } from '@micro-center/services/contracts/views.ts';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ENDED, keyOf, type LiveList } from './apply-push.ts';
import { useChangedRows } from './use-changed-rows.ts';
import { useSteadyRows } from './use-steady-rows.ts';

/** Newest first by id: 'c', 'b', 'a'. */
function row(id: string, version = 1): ReviewView {
  const postedAt = '2026-01-01T00:00:00.000Z';
  return { _id: id, name: 'Case', ratings: 5, username: 'Rahim', description: 'Good', postedAt, version };
}

function listOf(items: ReviewView[], rest: Partial<LiveList<ReviewView>> = {}): LiveList<ReviewView> {
  return { items, next: null, end: null, asked: null, pageError: null, depth: null, gone: {}, ...rest };
}

function Rows({ list }: { list: LiveList<ReviewView> }) {
  const changed = useChangedRows(list);
  const { rows, left, waiting, handlers } = useSteadyRows(list);
  const text = rows.map(
    ({ _id, version }) => `${_id}@${version}${left.has(_id) ? ' left' : ''}${changed.has(_id) ? ' changed' : ''}`,
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
  const { rerender } = render(<Rows list={listOf([row('b'), row('a')])} />);
  aim();
  rerender(<Rows list={listOf([row('c'), row('a', 2)], { gone: { b: 2 } })} />);
  expect(shown().textContent).toBe('b@1 left, a@2 changed');
  expect(shown().dataset.waiting).toBe('1');
  act(() => void vi.advanceTimersByTime(3000));
  expect(shown().textContent).toBe('c@1, a@2');
  expect(shown().dataset.waiting).toBe('0');
});

it('what this person ended goes at once, and a finger holds nothing', () => {
  const { rerender } = render(<Rows list={listOf([row('b'), row('a')])} />);
  aim();
  rerender(<Rows list={listOf([row('a')], { gone: { b: ENDED } })} />);
  expect(shown().textContent).toBe('a@1');
  act(() => void vi.advanceTimersByTime(3000));
  aim('touch');
  rerender(<Rows list={listOf([row('c'), row('a')])} />);
  expect(shown().textContent).toContain('c@1');
});

it('LIST1 a page that is loaded while the mouse aims appears below, and is neither waiting nor a change', () => {
  const [d, c] = [row('d'), row('c')];
  const { rerender } = render(<Rows list={listOf([d, c], { next: '/x', end: keyOf(c) })} />);
  aim();
  rerender(<Rows list={listOf([row('e'), d, c, row('b'), row('a')])} />);
  expect(shown().textContent).toBe('d@1, c@1, b@1, a@1');
  expect(shown().dataset.waiting).toBe('1');
  act(() => void vi.advanceTimersByTime(3000));
  expect(shown().textContent).toBe('e@1, d@1, c@1, b@1, a@1');
});

it('LIST1 rows that a refetch no longer brings are no change', () => {
  const [d, c, b] = [row('d'), row('c'), row('b')];
  const { rerender } = render(<Rows list={listOf([d, c, b])} />);
  aim();
  rerender(<Rows list={listOf([d, row('c', 2)], { next: '/x', end: keyOf(c) })} />);
  expect(shown().textContent).toBe('d@1, c@2 changed, b@1');
});

it('a changed row is highlighted for one second, and what is loaded at first is not', () => {
  const [a, b] = [row('a'), row('b')];
  const { rerender } = render(<Rows list={listOf([b, a])} />);
  expect(shown().textContent).toBe('b@1, a@1');
  rerender(<Rows list={listOf([b, row('a', 2)])} />);
  expect(shown().textContent).toBe('b@1, a@2 changed');
  act(() => void vi.advanceTimersByTime(600));
  rerender(<Rows list={listOf([row('b', 2), row('a', 2)])} />);
  act(() => void vi.advanceTimersByTime(400));
  expect(shown().textContent).toBe('b@2 changed, a@2');
  act(() => void vi.advanceTimersByTime(600));
  expect(shown().textContent).toBe('b@2, a@2');
});
