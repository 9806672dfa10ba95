import type { TimelineEntry } from '@micro-center/services/contracts/order/timeline.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeApp, problem } from '../../app/app.fixture.tsx';
import { orderOf, PAID, SHIPPED } from '../../shop/orders/order.fixture.ts';
import { halfAnHourAfterPlacing, headline, ID, PLACED, push, show } from './order-page.fixture.tsx';
import { formatSpan, refundOf } from './order-words.ts';

beforeEach(halfAnHourAfterPlacing);
afterEach(closeApp);

it.each([
  [59_999, 'less than a minute'],
  [3_540_000, '59 min'],
  [3_600_000, '1 h 0 min'],
  [172_800_000, '2 d 0 h'],
])('O4 a time span of %i ms is formatted as "%s"', (span, words) => expect(formatSpan(span)).toBe(words));

it('O10 a paid order’s page says what happens next even if the order’s timeline cannot be loaded', async () => {
  show(orderOf(PAID), { [`GET /orders/${ID}/timeline`]: () => problem('internal') });
  await headline('Paid');
  await screen.findByText('We are packing it. Next, it leaves our shop.');
});

describe('a shipment', () => {
  const SHIPMENT: readonly TimelineEntry[] = [
    PLACED,
    { type: 'paid', at: '2026-01-01T10:05:00.000Z', version: 2 },
    { type: 'shipped', at: '2026-01-01T11:00:00.000Z', version: 3 },
    {
      ...{ type: 'parcel_recorded', at: '2026-01-01T11:00:00.000Z', version: 4 },
      ...{ carrier: 'steadfast', trackingNumber: 'SF-1042' },
    },
  ];
  const happened = () =>
    within(screen.getByRole('list', { name: 'Everything that happened' }))
      .getAllByRole('listitem')
      .map((entry) => entry.querySelector('span')?.textContent);

  it('O10 ORD12 the order page names the carrier and links to the parcel’s page on the carrier’s site', async () => {
    show(orderOf({ ...SHIPPED, carrier: 'steadfast', trackingNumber: 'SF-1042' }), {
      [`GET /orders/${ID}/timeline`]: () => SHIPMENT,
    });
    const link = await screen.findByRole('link', { name: 'Follow the parcel at Steadfast' });
    expect(link.getAttribute('href')).toBe('https://steadfast.com.bd/t/SF-1042');
    expect(link.getAttribute('rel')).toContain('noreferrer');
    await waitFor(() => expect(happened().at(-1)).toBe('Handed to the carrier Steadfast, number SF-1042'));
  });

  it.each([
    [null, 'Shipment withdrawn', 'It was marked as shipped by mistake.'],
    ['mistake', 'Shipment withdrawn: it was marked as shipped by mistake', 'It was marked as shipped by mistake.'],
    ['damaged', 'Shipment withdrawn: the parcel was damaged', 'The parcel was damaged before it left us.'],
    ['not_collected', 'Shipment withdrawn: the carrier did not collect it', 'The carrier did not collect the parcel.'],
    ['address', 'Shipment withdrawn: the address was not right', 'The address on the parcel was not right.'],
  ] as const)(
    'O10 ORD11 after a shipment is withdrawn for the reason %s, the order page explains why and says what happens next',
    async (withdrawal, entry, why) => {
      const withdrawn = { type: 'shipment_withdrawn', withdrawal, at: '2026-01-01T11:05:00.000Z', version: 5 } as const;
      show(orderOf({ ...PAID, version: 5 }), { [`GET /orders/${ID}/timeline`]: () => [...SHIPMENT, withdrawn] });
      await headline('Paid');
      await screen.findByText(`${why} We are packing it again. Next, it leaves our shop.`);
      expect(happened().at(-1)).toBe(entry);
      expect(screen.queryByText(/Carried by/)).toBeNull();
    },
  );

  it('O10 ORD11 after a shipment is withdrawn, the order page shows the next step only once the timeline has been reloaded', async () => {
    const withdrawn = {
      type: 'shipment_withdrawn',
      withdrawal: null,
      at: '2026-01-01T11:05:00.000Z',
      version: 5,
    } as const;
    let tell: (entries: readonly TimelineEntry[]) => void = () => {};
    const told: Promise<readonly TimelineEntry[]>[] = [Promise.resolve(SHIPMENT)];
    show(orderOf({ ...SHIPPED, version: 4 }), { [`GET /orders/${ID}/timeline`]: () => told.at(-1) });
    await headline('Shipped');
    await waitFor(() => expect(happened()).toHaveLength(4));
    told.push(
      new Promise((resolve) => {
        tell = resolve;
      }),
    );
    push(orderOf({ ...PAID, version: 5 }));
    await headline('Paid');
    expect(screen.queryByText(/We are packing it/)).toBeNull();
    tell([...SHIPMENT, withdrawn]);
    await screen.findByText('It was marked as shipped by mistake. We are packing it again. Next, it leaves our shop.');
  });
});

describe('refunds', () => {
  it('N1 the order’s timeline shows a refund that is due', async () => {
    show(orderOf(PAID), {
      [`GET /orders/${ID}/timeline`]: () => [
        PLACED,
        { type: 'refund_due', at: '2026-01-01T10:20:00.000Z', version: 5, amount: 104001, reason: 'already_paid' },
      ],
    });
    expect(await screen.findByText(/Order placed/)).toBeTruthy();
    expect(screen.getByText('Refund on its way (৳104,001): the order was paid already')).toBeTruthy();
    screen.getByText(/A refund is on its way to your card./);
  });

  const at = '2026-01-01T10:20:00.000Z';
  const entry = (type: TimelineEntry['type'], transactionId: string, version: number): TimelineEntry => ({
    ...{ type, at, version, transactionId, amount: 104_001 },
  });
  it.each([
    [
      'T21 PAY4 an order’s refund is still due while only one of its two refunds has been made',
      ['refund_due pi_1', 'refund_due pi_2', 'refunded pi_1'],
      'due',
    ],
    [
      'PAY4 an order counts as refunded once both of its refunds have been made',
      ['refund_due pi_1', 'refund_due pi_2', 'refunded pi_1', 'refunded pi_2'],
      'refunded',
    ],
    [
      'E6 PAY6 a refund counts as failed if its only attempt failed',
      ['refund_due pi_1', 'refund_failed pi_1'],
      'failed',
    ],
    [
      'E6 PAY6 a refund counts as failed if it succeeded first and failed later',
      ['refund_due pi_1', 'refunded pi_1', 'refund_failed pi_1'],
      'failed',
    ],
    [
      'E6 PAY6 a refund counts as made if it failed first and succeeded later',
      ['refund_due pi_1', 'refund_failed pi_1', 'refunded pi_1'],
      'refunded',
    ],
  ])('%s', (_title, happened, state) => {
    const entries = happened.map((text, index) => {
      const [type, intent = ''] = text.split(' ');
      return entry(type as TimelineEntry['type'], intent, index + 2);
    });
    expect(refundOf(entries)).toEqual({ state, at: state === 'refunded' ? at : null });
  });
});
