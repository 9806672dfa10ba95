import type { ComponentType } from 'react';
import { Navigate, type RouteObject } from 'react-router-dom';
import { LoadingState } from '../ui/states.tsx';
import { RequireAdmin, RequireSession } from './guards.tsx';
import { loadChunk } from './load-chunk.ts';
import { RouteError } from './route-error.tsx';
import { Shell } from './shell.tsx';

type Page = { default: ComponentType };

/**
 * A page whose script is loaded when somebody goes there; `chunk` names it where that fails. The failure is thrown while
 * rendering: one of `lazy` itself is not shown at all beside a hydrate fallback (react-router 7.18 leaves the page blank).
 */
function page(chunk: string, load: () => Promise<Page>): Pick<RouteObject, 'lazy' | 'errorElement'> {
  return {
    lazy: async () => {
      try {
        return { Component: (await loadChunk(chunk, load)).default };
      } catch (error) {
        return { Component: throwing(error) };
      }
    },
    errorElement: <RouteError />,
  };
}

function throwing(error: unknown): () => never {
  return () => {
    throw error;
  };
}

const adminPages: RouteObject[] = [
  { path: 'allUsers', ...page('all-users', () => import('../features/admin-users/all-users-page.tsx')) },
  { path: 'allorder', ...page('manage-orders', () => import('../features/admin-orders/manage-orders-page.tsx')) },
  { path: 'addproduct', ...page('add-product', () => import('../features/admin-products/add-product-page.tsx')) },
  {
    path: 'manageproduct',
    ...page('manage-products', () => import('../features/admin-products/manage-products-page.tsx')),
  },
];

const dashboardPages: RouteObject[] = [
  { path: 'profile', ...page('profile', () => import('../features/profile/profile-page.tsx')) },
  { path: 'addreview', ...page('add-review', () => import('../features/reviews/add-review-page.tsx')) },
  { path: 'myorders', ...page('my-orders', () => import('../features/orders/my-orders-page.tsx')) },
  { path: 'payment/:id', ...page('payment', () => import('../features/payment/payment-page.tsx')) },
  { element: <RequireAdmin />, children: adminPages },
];

/** Every route of the shop, rows R1-R17. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <LoadingState />,
    children: [
      { index: true, ...page('home', () => import('../features/home/home-page.tsx')) },
      { path: 'allproducts', ...page('all-products', () => import('../features/catalogue/all-products-page.tsx')) },
      { path: 'blogs', ...page('blogs', () => import('../features/blogs/blogs-page.tsx')) },
      { path: 'login', ...page('login', () => import('../features/auth/login-page.tsx')) },
      { path: 'signup', ...page('signup', () => import('../features/auth/signup-page.tsx')) },
      { path: 'myportfolio', ...page('portfolio', () => import('../features/portfolio/portfolio-page.tsx')) },
      {
        element: <RequireSession />,
        children: [
          { path: 'buypage/:id', ...page('buy', () => import('../features/buying/buy-page.tsx')) },
          {
            path: 'dashboard',
            ...page('dashboard', () => import('./dashboard.tsx')),
            children: [{ index: true, element: <Navigate to="profile" replace /> }, ...dashboardPages],
          },
        ],
      },
      { path: '*', ...page('not-found', () => import('./not-found-page.tsx')) },
    ],
  },
];
