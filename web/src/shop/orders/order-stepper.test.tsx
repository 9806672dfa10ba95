import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { stubLayout } from '../../app/app.fixture.tsx';
import { formatTime } from '../../ui/format.ts';
import { OrderStepper, type OrderTimes, stepsOf } from './order-stepper.tsx';

afterEach(cleanup);

const [placedAt, confirmedAt, shippedAt] = [10, 11, 12].map((hour) => `2026-01-01T${hour}:00:00.000Z`) as [
  string,
  string,
  string,
];
const PLACED: OrderTimes = { placedAt, confirmedAt: null, shippedAt: null, cancelledAt: null };

function show(times: OrderTimes) {
  stubLayout();
  const stepper = (now: OrderTimes) => (
    <MantineProvider env="test">
      <OrderStepper times={now} />
    </MantineProvider>
  );
  const { rerender } = render(stepper(times));
  return (now: OrderTimes) => rerender(stepper(now));
}

const said = () => screen.getByRole('status').textContent;

describe('the order stepper', () => {
  it("K5 an order's steps are shown as an ordered list in which the latest step reached is marked as current", () => {
    show({ ...PLACED, confirmedAt });
    expect(screen.getByRole('list', { name: 'Steps of the order' }).tagName).toBe('OL');
    const items = screen.getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      `Placed${formatTime(placedAt)}`,
      `Paid${formatTime(confirmedAt)}`,
      'ShippedNot yet',
    ]);
    expect(items.map((item) => item.getAttribute('aria-current'))).toEqual([null, 'step', null]);
  });

  it('K5 the steps of a cancelled order are those that the order had reached, followed by "Cancelled"', () => {
    expect(stepsOf({ ...PLACED, cancelledAt: shippedAt }, 'Paid')).toEqual([
      { label: 'Placed', at: placedAt },
      { label: 'Cancelled', at: shippedAt },
    ]);
  });

  it('K5 each new step that an order reaches is announced in a status region, but the initial step is not', () => {
    const becomes = show(PLACED);
    expect(said()).toBe('');
    becomes({ ...PLACED, confirmedAt });
    expect(said()).toBe('The order is now paid.');
    becomes({ ...PLACED, confirmedAt, shippedAt });
    expect(said()).toBe('The order is now shipped.');
  });
});
