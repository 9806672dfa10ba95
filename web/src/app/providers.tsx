import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { useState } from 'react';
import { Provider } from 'react-redux';
import { createBrowserRouter, RouterProvider } from 'react-router-dom';
import { SessionProvider } from '../features/auth/session-context.ts';
import type { SessionKeeper } from '../features/auth/session-keeper.ts';
import { Toasts } from '../ui/toasts.tsx';
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
          <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
            <RouterProvider router={router} />
            <Toasts />
          </ModalsProvider>
        </MantineProvider>
      </SessionProvider>
    </Provider>
  );
}
