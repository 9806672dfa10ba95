import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp } from '../../app/app.fixture.tsx';
import { paidOrder as paid } from '../../shop/orders/order.fixture.ts';
import { button, showBoard } from './board.fixture.tsx';

afterEach(closeApp);

describe('the list of keyboard shortcuts', () => {
  it('W5 keyboard shortcuts that were turned off in the list of shortcuts stay off once the list is closed', async () => {
    showBoard([paid(1)]);
    await userEvent.click(await button('Keys ?'));
    await userEvent.click(await button('Turn the keys off'));
    expect(localStorage.getItem('boardKeys')).toBe('false');
    await userEvent.keyboard('{Escape}');
    (await button('Open order MC-1001')).focus();
    vi.useFakeTimers();
    fireEvent.keyDown(document.activeElement as Element, { key: 'x' });
    act(() => void vi.advanceTimersByTime(1000));
    expect(screen.queryByText('1 selected')).toBeNull();
  });
});
