import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp } from '../../app/app.fixture.tsx';
import { orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { halfAnHourAfterPlacing, headline, push, show } from './order-page.fixture.tsx';

beforeEach(halfAnHourAfterPlacing);
afterEach(closeApp);

describe('shipment notifications', () => {
  class Notification {
    static permission = 'default';
    static requestPermission = async () => {
      Notification.permission = 'granted';
      return 'granted';
    };
    static shown: string[] = [];
    onclick = null;
    constructor(title: string, { body }: { body: string }) {
      Notification.shown.push(`${title}: ${body}`);
    }
  }
  beforeEach(() => {
    vi.stubGlobal('Notification', Notification);
    Notification.permission = 'default';
    Notification.shown = [];
  });

  it('O7 when an order ships, the tab’s title says so, and a notification is shown if the customer has allowed notifications', async () => {
    const asked = vi.spyOn(Notification, 'requestPermission');
    show(orderOf(PAID));
    const ask = await screen.findByRole('button', { name: 'Notify me when it ships' });
    expect(asked).not.toHaveBeenCalled();
    await userEvent.click(ask);
    await screen.findByText(/A notification tells you/);
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    push(orderOf(SHIPPED));
    await waitFor(() => expect(document.title).toBe('Shipped - MC-1042 - Micro Center'));
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(Notification.shown).toEqual(['Order MC-1042 is shipped: 2 × Norwester G7 is on its way.']);
  });

  it('O7 ORD11 no notification is shown for a shipment that is withdrawn within 30 seconds, but one is shown for the next shipment', async () => {
    Notification.permission = 'granted';
    show(orderOf(PAID));
    await headline('Paid');
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    push(orderOf(SHIPPED));
    await headline('Shipped');
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    push(orderOf({ ...PAID, version: 5 }));
    await headline('Paid');
    expect(document.title).toBe('Order MC-1042 - Micro Center');
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(Notification.shown).toEqual([]);
    push(orderOf({ ...SHIPPED, shipment: 2, version: 6 }));
    await headline('Shipped');
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(Notification.shown).toHaveLength(1);
  });

  it('O7 no notification is shown when a customer opens the page of an order that has already shipped', async () => {
    Notification.permission = 'granted';
    show(orderOf(SHIPPED));
    await headline('Shipped');
    expect(document.title).toBe('Shipped - MC-1042 - Micro Center');
    expect(Notification.shown).toEqual([]);
  });
});
