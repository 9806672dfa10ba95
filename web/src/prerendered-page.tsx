import type { PageMaker } from '@micro-center/services/contracts/prerendered-page.ts';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter, type RouteObject } from 'react-router-dom';
import { takeConfig } from './api/client-config.ts';
import Dashboard from './app/dashboard.tsx';
import { RequireSession, WAITS_ITSELF } from './app/guards.tsx';
import { App } from './app/providers.tsx';
import { takeReadyData } from './app/ready-data.ts';
import { RouteError } from './app/route-error.tsx';
import { Shell } from './app/shell.tsx';
import { makeStore } from './app/store.ts';
import BuyPage from './features/buying/buy-page.tsx';
import AllProductsPage from './features/catalogue/all-products-page.tsx';
import HomePage from './features/home/home-page.tsx';
import ItemPage from './features/items/item-page.tsx';
import PaymentPage from './features/payment/payment-page.tsx';
import { createSessionKeeper } from './session/session-keeper.ts';

/** What tells who opens a personal page. */
const SIGN_IN = 'src/session/firebase-auth.ts';

export const SOURCES: PageMaker['SOURCES'] = {
  '/': ['src/features/home/home-page.tsx'],
  '/allproducts': ['src/features/catalogue/all-products-page.tsx'],
  '/items/:id': ['src/features/items/item-page.tsx'],
  '/buypage/:id': ['src/features/buying/buy-page.tsx', SIGN_IN],
  '/dashboard/payment/:id': ['src/app/dashboard.tsx', 'src/features/payment/payment-page.tsx', SIGN_IN],
};

/** As in app/router.tsx, with the pages at hand. */
const errorElement = <RouteError />;
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement,
    children: [
      { index: true, Component: HomePage, errorElement },
      { path: 'allproducts', Component: AllProductsPage, errorElement },
      { path: 'items/:id', Component: ItemPage, errorElement },
      {
        element: <RequireSession />,
        children: [
          { path: 'buypage/:id', Component: BuyPage, errorElement, handle: WAITS_ITSELF },
          {
            path: 'dashboard',
            Component: Dashboard,
            children: [{ path: 'payment/:id', Component: PaymentPage, errorElement, handle: WAITS_ITSELF }],
          },
        ],
      },
    ],
  },
];

/** Nobody is signed in on the server, nor is anybody known not to be. */
const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const loadIdentity = () => Promise.reject(new Error('The server signs nobody in.'));

/** Makes a page as the browser first has it (PAGE1). */
export const renderPage: PageMaker['renderPage'] = (path, data, config) => {
  const store = makeStore();
  takeConfig(store.dispatch, config);
  takeReadyData(store.dispatch, data);
  const router = createMemoryRouter(routes, { initialEntries: [path] });
  try {
    return renderToString(
      <App store={store} keeper={createSessionKeeper({ store, storage, loadIdentity })} router={router} />,
    );
  } finally {
    router.dispose();
  }
};
