import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, push } from '../../app/app.fixture.tsx';
import { paidOrder as paid } from '../../shop/orders/order.fixture.ts';
import { button, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

describe('notifications of new orders to deliver', () => {
  const see = (state: 'visible' | 'hidden') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
  };
  const notifications = (permission: NotificationPermission) => {
    const shown: string[] = [];
    class Shown {
      static permission = permission;
      static requestPermission = async () => {
        Shown.permission = 'granted';
        return Shown.permission;
      };
      constructor(title: string) {
        shown.push(title);
      }
    }
    vi.stubGlobal('Notification', Shown);
    return shown;
  };
  const board = () => {
    const counts = { all: 9, unpaid: 3, paid: 4, shipped: 2 };
    const { store } = showBoard([paid(1)], { 'GET /board/counts': () => ({ ...counts }) });
    const paidMore = (more: number, version: number) => {
      counts.paid += more;
      push(store, 'order', { ...paid(1), version });
    };
    return { paidMore };
  };
  afterEach(() => localStorage.clear());

  it('W11 while the tab is hidden, the page title shows the number of new orders to deliver', async () => {
    const { paidMore } = board();
    await screen.findByText('To deliver 4', { exact: false });
    expect(document.title).toBe('Manage Orders - Micro Center');
    see('hidden');
    paidMore(3, 10);
    await waitFor(() => expect(document.title).toBe('(3) Manage Orders - Micro Center'), { timeout: 4_000 });
    paidMore(-1, 11);
    paidMore(2, 12);
    await waitFor(() => expect(document.title).toBe('(4) Manage Orders - Micro Center'), { timeout: 4_000 });
    see('visible');
    expect(document.title).toBe('Manage Orders - Micro Center');
  });

  it('W11 notifications are off until the admin turns them on and allows them in the browser', async () => {
    const shown = notifications('default');
    const { paidMore } = board();
    await screen.findByText('To deliver 4', { exact: false });
    const notifyMe = await button('Notify me');
    expect(notifyMe.getAttribute('aria-pressed')).toBe('false');
    await userEvent.click(notifyMe);
    await waitFor(() => expect(notifyMe.getAttribute('aria-pressed')).toBe('true'));
    see('hidden');
    paidMore(2, 10);
    await waitFor(() => expect(shown).toEqual(['2 new orders to deliver']), { timeout: 4_000 });
    see('visible');
    await userEvent.click(notifyMe);
    expect(notifyMe.getAttribute('aria-pressed')).toBe('false');
  });

  it('W11 if the browser blocks notifications, the board says so and offers no button to turn them on', async () => {
    notifications('denied');
    board();
    await screen.findByText('Notifications blocked');
    expect(screen.queryByRole('button', { name: 'Notify me' })).toBeNull();
  });
});
