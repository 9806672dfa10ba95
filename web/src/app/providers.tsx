import { MantineProvider } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { SessionProvider } from '../session/session-context.ts';
import type { SessionKeeper } from '../session/session-keeper.ts';
import { loadChunk } from '../ui/load-chunk.ts';
import { afterFirstPaint } from './after-first-paint.ts';
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

/** Nothing is toasted before a person has done something, so this comes after what they came for. */
function LaterToasts() {
  const [loaded, setLoaded] = useState<{ Toasts: ComponentType } | null>(null);
  useEffect(() => {
    afterFirstPaint(() => {
      // Where it does not come, the pages that toast cannot come either, and say so.
      loadChunk('toasts', () => import('../ui/toasts.tsx')).then(setLoaded, () => {});
    });
  }, []);
  return loaded === null ? null : <loaded.Toasts />;
}
