import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow, liveList } from './follow.ts';
import { keyOf } from './list-order.ts';
import { openStore, review } from './live-store.fixture.ts';
import { type LoadedList, useIsChanged, useLastView, useLive } from './use-live.ts';
import { useSteadyRows } from './use-steady-rows.ts';
import { ENDED, takeRows, type ViewsState } from './views.ts';

const LIST = liveList('review', '/reviews', () => true);
/** Newest first by id: 'c', 'b', 'a'. */
const row = (id: string, version = 1) => review(id, 0, version);

function Row({ id, left }: { id: string; left: boolean }) {
  const { version } = useLastView('review', id) ?? {};
  return `${id}@${version}${left ? ' left' : ''}${useIsChanged(id) ? ' changed' : ''}`;
}
function Rows() {
  const list = useLive(({ views }) => views.followed[LIST.path]) as LoadedList;
  const { ids, left, waiting, handlers } = useSteadyRows(list);
  return (
    <div data-testid="rows" data-waiting={waiting} {...handlers}>
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 ? ', ' : ''}
          <Row id={id} left={left.has(id)} />
        </span>
      ))}
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

let opened: ReturnType<typeof openStore>;
beforeEach(() => {
  vi.useFakeTimers();
  opened = openStore();
  // Nothing is fetched here: what is answered is said outright.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Lets the list take these rows in as its window or its next page; `end` is the last where there are more below. */
function answer(
  views: ReturnType<typeof row>[],
  end: ReturnType<typeof row> | null = null,
  as: 'window' | 'page' = 'window',
) {
  const rows = { views, next: end && '/x', end: end && keyOf(end), etag: null };
  const action = { type: 'views/answered', change: (state: ViewsState) => takeRows(state, LIST.path, rows, as) };
  act(() => void opened.store.dispatch(action));
}
function show(views: ReturnType<typeof row>[], end: ReturnType<typeof row> | null = null) {
  opened.store.dispatch(follow(LIST));
  answer(views, end);
  render(
    <Provider store={opened.store}>
      <Rows />
    </Provider>,
  );
}
const push = (...rows: ReturnType<typeof row>[]) => act(() => rows.forEach(opened.push));
const gone = (id: string, version: number) => act(() => opened.gone(id, version));

it('a row under an aiming mouse stays where it is while others enter and leave', () => {
  show([row('b'), row('a')]);
  aim();
  push(row('c'), row('a', 2));
  gone('b', 2);
  expect(shown().textContent).toBe('b@1 left, a@2 changed');
  expect(shown().dataset.waiting).toBe('1');
  act(() => void vi.advanceTimersByTime(3000));
  expect(shown().textContent).toBe('c@1, a@2');
  expect(shown().dataset.waiting).toBe('0');
});

it('what this person ended goes at once, and a finger holds nothing', () => {
  show([row('b'), row('a')]);
  aim();
  gone('b', ENDED);
  expect(shown().textContent).toBe('a@1');
  act(() => void vi.advanceTimersByTime(3000));
  aim('touch');
  push(row('c'));
  expect(shown().textContent).toContain('c@1');
});

it('LIST1 a page that is loaded while the mouse aims appears below, and is neither waiting nor a change', () => {
  show([row('d'), row('c')], row('c'));
  aim();
  push(row('e'));
  answer([row('b'), row('a')], null, 'page');
  expect(shown().textContent).toBe('d@1, c@1, b@1, a@1');
  expect(shown().dataset.waiting).toBe('1');
  act(() => void vi.advanceTimersByTime(3000));
  expect(shown().textContent).toBe('e@1, d@1, c@1, b@1, a@1');
});

it('LIST1 rows that a refetch no longer brings are no change', () => {
  show([row('d'), row('c'), row('b')]);
  aim();
  answer([row('d'), row('c', 2)], row('c'));
  expect(shown().textContent).toBe('d@1, c@2 changed, b@1');
});

it('a changed row is highlighted for one second, and what is loaded at first is not', () => {
  show([row('b'), row('a')]);
  expect(shown().textContent).toBe('b@1, a@1');
  push(row('a', 2));
  expect(shown().textContent).toBe('b@1, a@2 changed');
  act(() => void vi.advanceTimersByTime(600));
  push(row('b', 2));
  act(() => void vi.advanceTimersByTime(400));
  expect(shown().textContent).toBe('b@2 changed, a@2');
  act(() => void vi.advanceTimersByTime(600));
  expect(shown().textContent).toBe('b@2, a@2');
});
