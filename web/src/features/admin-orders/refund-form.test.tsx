import type { OrderView } from '@micro-center/services/contracts/order/order-view.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, push } from '../../app/app.fixture.tsx';
import { signedIn, signedOut } from '../../session/session-slice.ts';
import { ADMIN, deleted, orderOf, PAID, SHIPPED, updated } from '../../shop/orders/order.fixture.ts';
import { ID, openDrawer } from './order-drawer.fixture.tsx';
import { readAmount } from './refund-form.tsx';

afterEach(closeApp);

interface Sent {
  key: string | null;
  body: unknown;
}

/** Opens an order's refund form. `answers` are the shop's answers to the attempts to refund; the last one repeats. */
async function openForm(order: OrderView = orderOf(PAID), answers: (() => unknown)[] = [() => updated]) {
  const granted: Sent[] = [];
  const app = await openDrawer(order, {
    [`POST /orders/${ID}/refunds`]: ({ key, body }) => {
      granted.push({ key, body });
      return answers[Math.min(granted.length, answers.length) - 1]?.();
    },
  });
  await userEvent.click(await app.drawer.findByRole('button', { name: 'Refund' }));
  const form = within(await app.drawer.findByRole('form', { name: 'Refund' }));
  return { ...app, granted, form };
}

type Form = Awaited<ReturnType<typeof openForm>>['form'];
const send = (form: Form) => userEvent.click(form.getByRole('button', { name: /^Refund/ }));
const dialog = async () => within(await screen.findByRole('dialog', { name: /^Refund ৳/ }));
const confirm = async () => userEvent.click((await dialog()).getByRole('button', { name: /^Refund/ }));

async function choosePart(form: Form, amount: string) {
  await userEvent.click(form.getByRole('radio', { name: 'A part' }));
  await userEvent.type(form.getByLabelText('Amount in taka'), amount);
}

describe('a refund', () => {
  it('PAY8 refunding a part sends the amount, the reason, the note and the order version that the admin saw', async () => {
    const { form, granted, drawer } = await openForm();
    await choosePart(form, '500.50');
    await userEvent.selectOptions(form.getByLabelText('Reason'), 'Too late');
    await userEvent.type(form.getByLabelText('Note, for admins only'), 'Three days late ');
    expect(form.queryByLabelText('Cancel the order too')).toBeNull();
    await send(form);
    (await dialog()).getByText(
      '৳500.50 of the ৳104,001 for order MC-1042 goes back to the card that Rina Akter paid with. This cannot be undone.',
    );
    expect(granted).toEqual([]);
    await confirm();
    await waitFor(() => expect(drawer.queryByRole('form', { name: 'Refund' })).toBeNull());
    const body = { amount: 500.5, reason: 'late', note: 'Three days late', version: 3, cancel: false };
    expect(granted).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{32}$/), body }]);
  });

  it('PAY8 refunding all that is left of an order that is not shipped also cancels it, unless the admin unticks that', async () => {
    const order = orderOf({ ...PAID, moneyBack: { returned: 1, returning: 0, left: 104_000 } });
    const { form, granted } = await openForm(order);
    await send(form);
    (await dialog()).getByText(/The order will be cancelled, and 2 × Norwester G7 goes back on the shelf/);
    await userEvent.click((await dialog()).getByRole('button', { name: 'Keep payment' }));
    await userEvent.click(form.getByLabelText('Cancel the order too'));
    await send(form);
    (await dialog()).getByText(/The order stays on the board, but it can no longer be shipped/);
    await confirm();
    await waitFor(() => expect(granted).toHaveLength(1));
    expect(granted[0]?.body).toMatchObject({ amount: 104_000, cancel: false });
  });

  it('PAY8 what a bank sent back after the order was cancelled can be refunded again', async () => {
    const cancelled = { paid: false, cancelledAt: PAID.paidAt, cancelReason: 'admin', transactionId: 'pi_1' } as const;
    const order = orderOf({ ...PAID, ...cancelled, moneyBack: { returned: 0, returning: 0, left: 104_001 } });
    const { form, granted } = await openForm(order);
    expect(form.queryByLabelText('Cancel the order too')).toBeNull();
    await send(form);
    (await dialog()).getByText(/goes back to the card that Rina Akter paid with\. This cannot be undone\.$/);
    await confirm();
    await waitFor(() => expect(granted[0]?.body).toMatchObject({ amount: 104_001, cancel: false }));
  });

  it('PAY8 a shipped order is refunded without being cancelled', async () => {
    const { form, granted } = await openForm(orderOf(SHIPPED));
    expect(form.queryByLabelText('Cancel the order too')).toBeNull();
    await send(form);
    await confirm();
    await waitFor(() => expect(granted[0]?.body).toMatchObject({ amount: 104_001, version: 4, cancel: false }));
  });

  it.each([
    ['', 'Enter an amount in taka.'],
    ['0', 'Enter an amount in taka.'],
    ['1.005', 'Enter an amount in taka.'],
    ['104001.01', 'At most ৳104,001 is left.'],
  ])('PAY8 the form refuses the amount “%s”', async (amount, why) => {
    const { form } = await openForm();
    await choosePart(form, `${amount} `);
    await send(form);
    await form.findByText(why);
    expect(screen.queryByRole('dialog', { name: /^Refund ৳/ })).toBeNull();
  });

  it('PAY8 CMD3 a retry of the same form carries the same key, so that a lost answer never refunds twice', async () => {
    const { form, granted } = await openForm(orderOf(PAID), [() => problem('store_unavailable'), () => updated]);
    await send(form);
    await confirm();
    await (await dialog()).findByRole('alert');
    await confirm();
    await waitFor(() => expect(granted).toHaveLength(2));
    expect(granted[1]).toEqual(granted[0]);
  });

  it('PAY8 CMD3 if an earlier attempt did go through with other values, the form says so and starts a new refund', async () => {
    const { form, granted } = await openForm(orderOf(PAID), [() => problem('idempotency_key_reused'), () => updated]);
    await send(form);
    await confirm();
    await (await dialog()).findByText('An earlier attempt did go through. Refund again if you want this one as well.');
    await confirm();
    await waitFor(() => expect(granted).toHaveLength(2));
    expect(granted[1]?.key).not.toBe(granted[0]?.key);
  });

  it('PAY8 ORD10 if the order changed while the admin looked at the confirmation, the refund waits for another look', async () => {
    const { form, granted, store } = await openForm(orderOf(PAID), [() => problem('stale_version'), () => updated]);
    await send(form);
    const moneyBack = { returned: 4_001, returning: 0, left: 100_000 };
    push(store, 'order', orderOf({ ...PAID, moneyBack, version: 5 }));
    await confirm();
    await (await dialog()).findByText('This order has changed since you saw it. Check it, then refund again.');
    expect(granted[0]?.body).toMatchObject({ amount: 104_001, version: 3 });
    await userEvent.click((await dialog()).getByRole('button', { name: 'Keep payment' }));
    await send(form);
    await confirm();
    await waitFor(() => expect(granted[1]?.body).toMatchObject({ amount: 100_000, version: 5 }));
  });

  it('PAY8 an order offers no refund if it is unpaid, or if nothing of its payment is left', async () => {
    const { drawer, store } = await openDrawer(orderOf());
    await drawer.findByText('Not paid');
    const refund = () => drawer.queryByRole('button', { name: 'Refund' });
    expect(refund()).toBeNull();
    push(store, 'order', orderOf(PAID));
    expect(refund()).not.toBeNull();
    push(store, 'order', orderOf({ ...PAID, moneyBack: { returned: 0, returning: 104_001, left: 0 }, version: 4 }));
    expect(refund()).toBeNull();
    drawer.getByText('৳104,001 is on its way back');
  });

  it('P5 the entered amount and note are kept if the session expires and the admin signs in again', async () => {
    const { form, router, store } = await openForm();
    await choosePart(form, '500');
    await userEvent.type(form.getByLabelText('Note, for admins only'), 'Scratched');
    act(() => void store.dispatch(signedOut({ reason: 'expired' })));
    await act(() => router.navigate('/before'));
    act(() => void store.dispatch(signedIn(ADMIN)));
    await act(() => router.navigate(`/?order=${ID}`));
    expect((await screen.findByLabelText<HTMLInputElement>('Amount in taka')).value).toBe('500');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Note, for admins only').value).toBe('Scratched');
  });
});

describe('a held-back order', () => {
  it('ORD14 the drawer of an order whose money went back says why, offers no DELIVER, and offers to cancel the order', async () => {
    const moneyBack = { returned: 104_001, returning: 0, left: 0 };
    const { drawer, calls } = await openDrawer(orderOf({ ...PAID, moneyBack, heldBack: 'refunded' }), {
      [`DELETE /orders/${ID}`]: () => deleted,
    });
    await drawer.findByText('This order cannot be shipped: its money went back to the customer.');
    drawer.getByText('Refunded');
    expect(drawer.queryByRole('button', { name: 'DELIVER' })).toBeNull();
    expect(calls).not.toContain(`PUT /packing/${ID}`);
    await userEvent.click(drawer.getByRole('button', { name: 'Cancel order' }));
    const asking = within(await screen.findByRole('dialog', { name: 'Are you sure?' }));
    await userEvent.click(asking.getByRole('button', { name: 'Cancel order' }));
    await waitFor(() => expect(calls).toContain(`DELETE /orders/${ID}`));
  });

  it('ORD14 the drawer of a disputed order says that the bank took its money, and offers nothing', async () => {
    const moneyBack = { returned: 0, returning: 0, left: 0 };
    const { drawer } = await openDrawer(orderOf({ ...PAID, moneyBack, heldBack: 'disputed' }));
    await drawer.findByText('This order cannot be shipped: the customer’s bank took back its money.');
    drawer.getByText(/^Disputed/);
    for (const name of ['DELIVER', 'Cancel order', 'Refund']) expect(drawer.queryByRole('button', { name })).toBeNull();
  });
});

describe('the payment in the drawer', () => {
  it('PAY7 the drawer says that a payment is being processed, and why the last attempt failed', async () => {
    const { drawer, store } = await openDrawer(orderOf({ processingUntil: '2026-01-05T10:00:00.000Z' }));
    await drawer.findByText('Being processed');
    drawer.getByText(/The payment is being processed. This order will be cancelled automatically unless the money/);
    push(store, 'order', orderOf({ paymentFailure: 'declined', version: 3 }));
    drawer.getByText('The last attempt failed: the card was declined');
  });

  it('PAY8 PAY9 admins see who granted a refund, why, with the note, and what was done in Stripe’s dashboard', async () => {
    const at = '2026-01-01T11:00:00.000Z';
    const { drawer } = await openDrawer(orderOf(PAID), {
      [`GET /orders/${ID}/timeline`]: () => [
        {
          type: 'refund_granted',
          amount: 500,
          granted: 'damaged',
          note: 'Scratched',
          by: 'Farhana',
          at,
          version: 4,
        },
        { type: 'refund_made', amount: 500, by: 'system', at, version: 5 },
        { type: 'refund_made', amount: 7, elsewhere: true, by: 'system', at, version: 6 },
        { type: 'payment_failed', failure: 'not_authenticated', by: 'system', at, version: 7 },
        { type: 'dispute_withdrawn', amount: 9, by: 'system', at, version: 8 },
      ],
    });
    const entries = within(await drawer.findByRole('list', { name: 'Everything that happened' }));
    const texts = entries.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts[0]).toMatch(/^Refund granted \(৳500\): damaged itemScratched.* · Farhana$/);
    expect(texts[1]).toMatch(/^Refunded \(৳500\)\d/);
    expect(texts[2]).toMatch(/^Refunded \(৳7\), made in Stripe’s dashboard\d/);
    expect(texts[3]).toMatch(/^Payment failed: the bank did not confirm it\d/);
    expect(texts[4]).toMatch(/^Disputed: the bank took back the money \(৳9\)\d/);
  });
});

it.each([
  ['1,250.50', 1250.5],
  ['৳ ৫০০', 500],
  ['12.345', null],
  ['-5', null],
  ['five', null],
])('PAY8 the amount “%s” is read as %s', (text, amount) => expect(readAmount(text)).toBe(amount));
