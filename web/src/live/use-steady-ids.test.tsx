import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { follow, liveList } from './follow.ts';
import { openStore, review } from './live-store.fixture.ts';
import { takeRows } from './take-answers.ts';
import { type LoadedList, useIsChanged, useLive, useView } from './use-live.ts';
import { useSteadyList } from './use-steady-ids.ts';
import { ENDED, type ViewsState } from './views.ts';

const UNFIT = 1;
const NEWEST = liveList('review', '/reviews', ({ ratings }) => ratings !== UNFIT);
let followed = NEWEST;
/**
 * Returns a review. All reviews were posted at the same time, so a newest-first list sorts them by descending id: 'c',
 * 'b', 'a'.
 */
const row = (id: string, version = 1) => review(id, 0, version);

function Row({ id, left }: { id: string; left: boolean }) {
  const { version } = useView('review', id) ?? {};
  return `${id}@${version}${left ? ' left' : ''}${useIsChanged(id) ? ' changed' : ''}`;
}
function Rows() {
  const list = useLive(({ views }) => views.followed[followed.path]) as LoadedList;
  const { ids, left, waiting, showWaiting, handlers } = useSteadyList(list);
  return (
    <>
      <div data-testid="rows" data-waiting={waiting} {...handlers}>
        {ids.map((id, index) => (
          <span key={id}>
            {index > 0 ? ', ' : ''}
            <Row id={id} left={left.has(id)} />
          </span>
        ))}
      </div>
      <button type="button" onClick={showWaiting}>
        Show
      </button>
    </>
  );
}
const shown = () => screen.getByTestId('rows');
// jsdom doesn't implement PointerEvent, so this function adds the pointer type to a MouseEvent.
const pointer = (type: string, pointerType = 'mouse') => {
  // React derives `pointerleave` from `pointerout`.
  const event = new MouseEvent(type === 'pointerleave' ? 'pointerout' : type, { bubbles: true });
  Object.defineProperty(event, 'pointerType', { value: pointerType });
  fireEvent(shown(), event);
};

let opened: ReturnType<typeof openStore>;
let rendered: ReturnType<typeof render> | null = null;
function close() {
  cleanup();
  rendered = null;
}
beforeEach(() => {
  followed = NEWEST;
  vi.useFakeTimers();
  opened = openStore();
  // Fetches never finish. The tests apply responses directly.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
});
afterEach(() => {
  close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/**
 * Applies these rows to the list as if they were the response to a request for its window or its next page. `more` is
 * true if the list has more rows below these.
 */
function answer(views: ReturnType<typeof row>[], more = false, as: 'window' | 'page' = 'window') {
  const rows = { views, next: more ? '/x' : null, etag: null };
  const action = { type: 'views/answered', change: (state: ViewsState) => takeRows(state, followed.path, rows, as) };
  act(() => void opened.store.dispatch(action));
}
function show(views: ReturnType<typeof row>[], more = false) {
  opened.store.dispatch(follow(followed));
  answer(views, more);
  renderRows();
}
function renderRows() {
  const page = (
    <Provider store={opened.store}>
      <Rows />
    </Provider>
  );
  if (rendered === null) rendered = render(page);
  else rendered.rerender(page);
}
const push = (...rows: ReturnType<typeof row>[]) => act(() => rows.forEach(opened.push));
const gone = (id: string, version: number) => act(() => opened.gone(id, version));

it('W1 rows stay in place for as long as the pointer is over them, even for an hour, when rows enter or leave the list', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  push(row('c'), row('a', 2));
  gone('b', 2);
  expect(shown().textContent).toBe('b@1 left, a@2 changed');
  expect(shown().dataset.waiting).toBe('1');
  act(() => void vi.advanceTimersByTime(3_600_000));
  expect(shown().textContent).toBe('b@1 left, a@2');
  pointer('pointerleave');
  expect(shown().textContent).toBe('c@1, a@2');
  expect(shown().dataset.waiting).toBe('0');
});

it('W1 rows added to an empty list are shown at once even if the pointer is over the list, because no other row has to move', () => {
  show([]);
  pointer('pointermove');
  push(row('b'));
  expect(shown().textContent).toContain('b@1');
  expect(shown().dataset.waiting).toBe('0');
});

it('W1 a finger holds the rows in place from its touch until half a second after it is lifted', () => {
  show([row('b'), row('a')]);
  pointer('pointerdown', 'touch');
  push(row('c'));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(shown().textContent).toBe('b@1, a@1');
  pointer('pointerup', 'touch');
  act(() => void vi.advanceTimersByTime(499));
  expect(shown().textContent).toBe('b@1, a@1');
  act(() => void vi.advanceTimersByTime(1));
  expect(shown().textContent).toContain('c@1, b@1, a@1');
});

it('W1 the rows stay in place while one of them has the focus, even if the pointer leaves', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  fireEvent.focus(shown());
  pointer('pointerleave');
  push(row('c'));
  expect(shown().textContent).toBe('b@1, a@1');
  fireEvent.blur(shown(), { relatedTarget: shown().firstElementChild });
  expect(shown().textContent).toBe('b@1, a@1');
  fireEvent.blur(shown(), { relatedTarget: document.body });
  expect(shown().textContent).toContain('c@1');
});

it('W1 new rows that are waiting to be shown appear when the user clicks Show, and then stay in place like the other rows', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  push(row('c'));
  fireEvent.click(screen.getByRole('button', { name: 'Show' }));
  expect(shown().textContent).toContain('c@1 changed, b@1, a@1');
  push(row('d'));
  expect(shown().textContent).toContain('c@1 changed, b@1, a@1');
  expect(shown().dataset.waiting).toBe('1');
});

it("W1 W2 a row held in place is shown in its newest version, even if it no longer matches the list's filter", () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  push({ ...row('b', 2), ratings: UNFIT });
  expect(shown().textContent).toBe('b@2 left changed, a@1');
  push({ ...row('b', 3), ratings: UNFIT });
  expect(shown().textContent).toBe('b@3 left changed, a@1');
  pointer('pointerleave');
  expect(shown().textContent).toBe('a@1');
  expect(opened.view('b')).toBeUndefined();
});

it('W1 a row added below the last row is shown at once even if the pointer is over the list, because no other row has to move', () => {
  followed = liveList('review', '/reviews', () => true, { sort: 'oldest' });
  show([row('a'), row('b')]);
  pointer('pointermove');
  push(row('c'));
  expect(shown().textContent).toBe('a@1, b@1, c@1 changed');
  expect(shown().dataset.waiting).toBe('0');
});

it('W1 if no row that was held in place is in the list any more, new rows are not shown yet', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  push(row('d'), row('c'));
  gone('a', 2);
  gone('b', 2);
  expect(shown().textContent).toBe('b@1 left, a@1 left');
  expect(shown().dataset.waiting).toBe('2');
});

it('W1 if another list is shown while the pointer is over the rows, its rows are shown at once and then stay in place', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  followed = liveList('review', '/others', () => true);
  opened.store.dispatch(follow(followed));
  answer([row('d'), row('c')]);
  renderRows();
  expect(shown().textContent).toBe('d@1, c@1');
  push(row('e'));
  expect(shown().textContent).toBe('d@1, c@1');
  expect(shown().dataset.waiting).toBe('1');
});

it('W1 a list that unmounts while the pointer is over it is up to date when it is mounted again', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  close();
  push(row('c'));
  act(() => void vi.advanceTimersByTime(1000));
  renderRows();
  expect(shown().textContent).toBe('c@1, b@1, a@1');
  expect(shown().dataset.waiting).toBe('0');
});

it('a document that this client deleted or cancelled disappears at once, even while the pointer is over it', () => {
  show([row('b'), row('a')]);
  pointer('pointermove');
  gone('b', ENDED);
  expect(shown().textContent).toBe('a@1');
});

it('LIST1 a page of rows loaded while the rows are held in place appears below them at once, without a highlight', () => {
  show([row('d'), row('c')], true);
  pointer('pointermove');
  push(row('e'));
  answer([row('b'), row('a')], false, 'page');
  expect(shown().textContent).toBe('d@1, c@1, b@1, a@1');
  expect(shown().dataset.waiting).toBe('1');
  pointer('pointerleave');
  act(() => void vi.advanceTimersByTime(1000));
  expect(shown().textContent).toBe('e@1, d@1, c@1, b@1, a@1');
});

it('LIST1 after a refetch, rows below the last row of the response are not marked as having left the list', () => {
  show([row('d'), row('c'), row('b')]);
  pointer('pointermove');
  answer([row('d'), row('c', 2)], true);
  expect(shown().textContent).toBe('d@1, c@2 changed, b@1');
});

it('a row is highlighted for one second when it changes, but not when it is first loaded', () => {
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
