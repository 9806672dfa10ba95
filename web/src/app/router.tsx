import { matchRoutes, type RouteObject } from 'react-router-dom';
import { LoadingState } from '../ui/states.tsx';
import { RequireAdmin, RequireSession, WAITS_ITSELF } from './guards.tsx';
import { lazyPage } from './lazy-page.tsx';
import { RouteError } from './route-error.tsx';
import { Shell } from './shell.tsx';

const adminPages: RouteObject[] = [
  { path: 'allUsers', ...lazyPage('all-users', () => import('../features/admin-users/all-users-page.tsx')) },
  { path: 'allorder', ...lazyPage('manage-orders', () => import('../features/admin-orders/manage-orders-page.tsx')) },
  { path: 'slips', ...lazyPage('slips', () => import('../features/admin-orders/slips-page.tsx')) },
  { path: 'money', ...lazyPage('money', () => import('../features/money/money-page.tsx')) },
  { path: 'addproduct', ...lazyPage('add-product', () => import('../features/admin-products/add-product-page.tsx')) },
  {
    path: 'manageproduct',
    ...lazyPage('manage-products', () => import('../features/admin-products/manage-products-page.tsx')),
  },
  {
    path: 'manageproduct/:id',
    ...lazyPage('edit-product', () => import('../features/admin-products/edit-product-page.tsx')),
  },
];

const dashboardPages: RouteObject[] = [
  { path: 'profile', ...lazyPage('profile', () => import('../features/profile/profile-page.tsx')) },
  { path: 'addreview', ...lazyPage('add-review', () => import('../features/reviews/add-review-page.tsx')) },
  { path: 'myorders', ...lazyPage('my-orders', () => import('../features/orders/my-orders-page.tsx')) },
  { path: 'myorders/:id', ...lazyPage('order', () => import('../features/orders/order-page.tsx')) },
  {
    path: 'payment/:id',
    handle: WAITS_ITSELF,
    ...lazyPage('payment', () => import('../features/payment/payment-page.tsx')),
  },
  { element: <RequireAdmin />, children: adminPages },
];

/** The shop's routes (R1-R17). */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <LoadingState />,
    children: [
      { index: true, ...lazyPage('home', () => import('../features/home/home-page.tsx')) },
      { path: 'allproducts', ...lazyPage('all-products', () => import('../features/catalogue/all-products-page.tsx')) },
      { path: 'blogs', ...lazyPage('blogs', () => import('../features/blogs/blogs-page.tsx')) },
      { path: 'items/:id', ...lazyPage('item', () => import('../features/items/item-page.tsx')) },
      { path: 'login', ...lazyPage('login', () => import('../features/auth/login-page.tsx')) },
      { path: 'signup', ...lazyPage('signup', () => import('../features/auth/signup-page.tsx')) },
      { path: 'track/:token', ...lazyPage('tracking', () => import('../features/tracking/tracking-page.tsx')) },
      { path: 'myportfolio', ...lazyPage('portfolio', () => import('../features/portfolio/portfolio-page.tsx')) },
      {
        element: <RequireSession />,
        children: [
          {
            path: 'buypage/:id',
            handle: WAITS_ITSELF,
            ...lazyPage('buy', () => import('../features/buying/buy-page.tsx')),
          },
          {
            path: 'dashboard',
            ...lazyPage('dashboard', () => import('./dashboard.tsx')),
            children: [{ index: true, element: null }, ...dashboardPages],
          },
        ],
      },
      { path: '*', ...lazyPage('not-found', () => import('./not-found-page.tsx')) },
    ],
  },
];

/**
 * Loads the pages of the routes that match `path`. A router created afterwards renders these pages immediately instead
 * of starting with an empty page.
 */
export async function loadPagesAt(path: string): Promise<void> {
  for (const { route } of matchRoutes(routes, path) ?? []) {
    if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
  }
}
