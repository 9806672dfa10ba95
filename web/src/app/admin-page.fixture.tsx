import { act } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { signedIn } from '../session/session-slice.ts';
import { ADMIN } from '../shop/orders/order.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { showApp, stubShop } from './app.fixture.tsx';

/** Renders one page and its toasts for a signed-in admin. */
export function showAdminPage(page: React.ReactElement, answers: Parameters<typeof stubShop>[0]) {
  const calls = stubShop(answers);
  const element = (
    <>
      {page}
      <Toasts />
    </>
  );
  const { store } = showApp([{ path: '/', element }]);
  act(() => void store.dispatch(signedIn(ADMIN)));
  return { calls, store, user: userEvent.setup() };
}
