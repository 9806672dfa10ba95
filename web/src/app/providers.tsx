import { MantineProvider } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { type createBrowserRouter, RouterProvider } from 'react-router-dom';
import type { SessionKeeper } from '../session/session-keeper.ts';
import { SessionProvider } from '../session/session-keeper.ts';
import { afterFirstPaint, loadChunk } from '../ui/load-chunk.ts';
import type { AppStore } from './store.ts';
import { cssVariables, theme } from './theme.ts';

interface AppProps {
  store: AppStore;
  keeper: SessionKeeper;
  router: ReturnType<typeof createBrowserRouter>;
  /** called after the page has been rendered or hydrated */
  onShown?: (() => void) | undefined;
}

/** The whole app with one store and one session. */
export function App({ store, keeper, router, onShown }: AppProps) {
  useEffect(() => onShown?.(), [onShown]);
  return (
    <Provider store={store}>
      <SessionProvider value={keeper}>
        <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
          <RouterProvider router={router} />
          <LaterToasts />
        </MantineProvider>
      </SessionProvider>
    </Provider>
  );
}

/** Renders the toasts. Their script loads after the page, because toasts appear only in response to user actions. */
function LaterToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType } | null>(null);
  useEffect(() => {
    afterFirstPaint(() => {
      // Ignore a failure to load the toasts, because any page that uses them also fails to load and shows the error.
      loadChunk('toasts', () => import('../ui/toasts.tsx')).then(setLoaded, () => {});
    });
  }, []);
  return loaded === null ? null : <loaded.Toasts />;
}
