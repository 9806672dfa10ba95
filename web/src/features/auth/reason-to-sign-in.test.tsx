import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { closeApp, showApp, stubShop } from '../../app/app.fixture.tsx';
import { productOf } from '../../shop/orders/order.fixture.ts';
import { ReasonToSignIn } from './reason-to-sign-in.tsx';

afterEach(closeApp);

it.each([
  [`/buypage/${productOf()._id}?quantity=3`, 'Sign in to buy Norwester G7'],
  ['/buypage/gone', 'Sign in to buy this item'],
  ['/dashboard/myorders', 'Sign in to see your orders'],
  ['/dashboard/payment/1', 'Sign in to pay for your order'],
])('I7 a user who must sign in to open %s sees the reason "%s"', async (to, reason) => {
  stubShop({ [`GET /products/${productOf()._id}`]: () => productOf() });
  showApp([{ path: '/', element: <ReasonToSignIn to={to} /> }]);
  expect(await screen.findByText(reason, {}, { timeout: 10_000 })).toBeTruthy();
});

it('I7 the sign-in page gives no reason to sign in if the user did not come from a protected page', () => {
  stubShop();
  showApp([{ path: '/', element: <ReasonToSignIn to="/" /> }]);
  expect(screen.queryByText(/^Sign in to/)).toBeNull();
});
