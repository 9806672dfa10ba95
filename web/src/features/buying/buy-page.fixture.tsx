import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, created, productOf } from '../../shop/orders/order.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import BuyPage from './buy-page.tsx';

/** A timeout that is long enough for a busy machine. */
export const PATIENCE = { timeout: 10_000 };

export async function show(
  place: (sent: { body: unknown }) => unknown = () => created,
  product = productOf(),
  answers = {},
) {
  const bodies: unknown[] = [];
  stubShop({
    'GET /products/:id': () => product,
    ...answers,
    'POST /orders': (request) => {
      bodies.push(request.body);
      return place(request);
    },
  });
  const routes = [
    {
      path: '/buypage/:id',
      element: (
        <>
          <BuyPage />
          <Toasts />
        </>
      ),
    },
    { path: '/dashboard/payment/:id', element: <Toasts /> },
  ];
  const app = showApp(routes, `/buypage/${product._id}`);
  act(() => void app.store.dispatch(signedIn(CUSTOMER)));
  await screen.findByRole('form', { name: 'Your order' });
  const user = userEvent.setup();
  const fill = async (quantity: string) => {
    await user.type(screen.getByLabelText(/^Address/), 'House 7');
    await user.type(screen.getByLabelText(/^Phone/), '01711000000');
    await user.clear(screen.getByLabelText(/^Quantity/));
    if (quantity !== '') await user.type(screen.getByLabelText(/^Quantity/), quantity);
  };
  const buy = () => user.click(screen.getByRole('button', { name: 'BUY NOW' }));
  return { ...app, user, fill, buy, bodies };
}
