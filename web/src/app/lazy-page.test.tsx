import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHUNK_TIMEOUT, ChunkLoadError, loadChunk } from '../ui/load-chunk.ts';
import { LoadingState } from '../ui/states.tsx';
import { closeApp, showApp, stubShop } from './app.fixture.tsx';
import { lazyPage } from './lazy-page.tsx';

function showRoute(load: () => Promise<{ default: () => React.ReactNode }>) {
  stubShop();
  // React logs an error to the console even if an error boundary has caught it.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  return showApp(
    [
      {
        hydrateFallbackElement: <LoadingState />,
        children: [
          { path: '/', element: <p>Home page</p> },
          { path: '/later', ...lazyPage('later', load) },
        ],
      },
    ],
    '/',
  );
}

describe('lazyPage', () => {
  afterEach(() => {
    closeApp();
    vi.restoreAllMocks();
  });

  it('I6 a lazy page is shown once its script has loaded', async () => {
    const { router } = showRoute(async () => ({ default: () => <p>Later page</p> }));
    await act(() => router.navigate('/later'));
    expect(screen.getByText('Later page')).toBeTruthy();
  });

  it("I6 if a page's script fails to load, an error with a retry button is shown instead of a blank page", async () => {
    const { router } = showRoute(() => Promise.reject(new TypeError('Failed to fetch')));
    await act(() => router.navigate('/later'));
    expect(screen.getByRole('alert').textContent).toContain('Loading chunk later failed.');
    screen.getByRole('button', { name: 'Try again' });
    fireEvent.click(screen.getByRole('link', { name: 'Go to the home page' }));
    await screen.findByText('Home page');
  });

  it('I6 an error is also shown if the script of the first page opened in a visit fails to load', async () => {
    stubShop();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const failing = lazyPage('first', () => Promise.reject(new TypeError('Failed to fetch')));
    showApp([{ hydrateFallbackElement: <LoadingState />, children: [{ path: '/', ...failing }] }], '/');
    expect((await screen.findByRole('alert')).textContent).toContain('Loading chunk first failed.');
  });

  it('I6 an error is shown if a page throws while rendering', async () => {
    const { router } = showRoute(async () => ({
      default: () => {
        throw new Error('broken');
      },
    }));
    await act(() => router.navigate('/later'));
    expect(screen.getByRole('alert').textContent).toContain('Something went wrong on this page');
  });
});

describe('loadChunk', () => {
  afterEach(closeApp);

  it('I6 loading a page’s script times out after 120,000 ms', async () => {
    vi.useFakeTimers();
    expect(CHUNK_TIMEOUT).toBe(120_000);
    let ended: unknown = null;
    loadChunk('slow', () => new Promise(() => {})).catch((error) => {
      ended = error;
    });
    await vi.advanceTimersByTimeAsync(119_999);
    expect(ended).toBeNull();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBeInstanceOf(ChunkLoadError);
  });
});
