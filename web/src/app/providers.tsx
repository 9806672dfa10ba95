import { MantineProvider } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import type { SessionKeeper } from '../session/session-keeper.ts';
import { SessionProvider } from '../session/session-keeper.ts';
import { afterFirstPaint, loadChunk } from '../ui/load-chunk.ts';
import { routes } from './router.tsx';
import type { AppStore } from './store.ts';
import { cssVariables, theme } from './theme.ts';

/** The whole app over one store and one session. */
export function App({ store, keeper }: { store: AppStore; keeper: SessionKeeper }) {
  const [router] = useState(() => createBrowserRouter(routes));
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

/** Toasts follow a person's actions, so they load after the page. */
function LaterToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType } | null>(null);
  useEffect(() => {
    afterFirstPaint(() => {
      // If this fails, the pages that use toasts fail too, and say so.
      loadChunk('toasts', () => import('../ui/toasts.tsx')).then(setLoaded, () => {});
    });
  }, []);
  return loaded === null ? null : <loaded.Toasts />;
}
