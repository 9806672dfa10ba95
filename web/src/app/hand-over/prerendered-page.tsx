import type { PageMaker } from '@micro-center/services/contracts/prerendered-page.ts';
import { renderToString } from 'react-dom/server';
import { createMemoryRouter } from 'react-router-dom';
import { takeConfig } from '../../api/client-config.ts';
import { createSessionKeeper } from '../../session/session-keeper.ts';
import { App } from '../providers.tsx';
import { loadPagesAt, routes } from '../router.tsx';
import { makeStore } from '../store.ts';
import { takeReadyData } from './ready-data.ts';

/** The sign-in module. Pages with personal content need it to identify the user. */
const SIGN_IN = 'src/session/firebase-auth.ts';

export const SOURCES: PageMaker['SOURCES'] = {
  '/': ['src/features/home/home-page.tsx'],
  '/allproducts': ['src/features/catalogue/all-products-page.tsx'],
  '/items/:id': ['src/features/items/item-page.tsx'],
  '/buypage/:id': ['src/features/buying/buy-page.tsx', SIGN_IN],
  '/dashboard/payment/:id': ['src/app/dashboard.tsx', 'src/features/payment/payment-page.tsx', SIGN_IN],
};

// `renderToString` can't wait for a chunk, so all pages are loaded in advance.
await Promise.all(Object.keys(SOURCES).map(loadPagesAt));

/** The server has no stored session and never starts the session keeper, so the session's status stays 'unknown'. */
const storage = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const loadIdentity = () => Promise.reject(new Error('The server does not sign users in.'));

/** Renders the HTML of a page, exactly as the browser first renders it (PAGE1). */
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
