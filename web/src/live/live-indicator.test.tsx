import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, stubLayout } from '../app/app.fixture.tsx';
import { makeStore } from '../app/store.ts';
import { LiveIndicator } from './live-indicator.tsx';
import { pushesArrived, wentLive, wentStale } from './live-slice.ts';

afterEach(closeApp);

function show(figure: boolean) {
  stubLayout();
  const store = makeStore();
  render(
    <Provider store={store}>
      <MantineProvider env="test">
        <LiveIndicator figure={figure} />
      </MantineProvider>
    </Provider>,
  );
  const arrives = () => store.dispatch(pushesArrived([{ appended: 1_000, pushed: 1_030, now: 5_000 }]));
  return { store, arrives, words: () => screen.getByTitle(/./).textContent };
}

describe('the live dot', () => {
  it('LIVE4 the live dot shows admins how far the page lags behind, and shows everyone else only that the page is live', () => {
    for (const [figure, words] of [
      [true, 'Live30 ms behind'],
      [false, 'Live'],
    ] as const) {
      const shown = show(figure);
      act(() => void shown.store.dispatch(wentLive()));
      act(() => void shown.arrives());
      expect(shown.words()).toBe(words);
      closeApp();
    }
  });

  it('LIVE4 the live dot says "Connecting" at first, and "Not live" and "Reconnecting ..." once the connection is lost', () => {
    const { store, words } = show(false);
    expect(words()).toBe('Connecting');
    act(() => void store.dispatch(wentStale()));
    expect(words()).toBe('Not liveReconnecting ...');
  });
});
