import { screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { showAdminPage } from '../../app/admin-page.fixture.tsx';
import { closeApp } from '../../app/app.fixture.tsx';
import { created } from '../../shop/orders/order.fixture.ts';
import AddProductPage from './add-product-page.tsx';

afterEach(closeApp);

describe('Add product', () => {
  it('A4 a new product requires only a name, a price, a quantity and a minimum order', async () => {
    const { user, calls } = showAdminPage(<AddProductPage />, {});
    await user.click(screen.getByRole('button', { name: 'Add product' }));
    for (const text of ['Enter a name.', 'Enter a price.', 'Enter how many there are.', 'Enter the minimum order.']) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(document.querySelectorAll('[aria-invalid="true"]')).toHaveLength(4);
    expect(calls).not.toContain('POST /products');
  });

  it('A4 the quantity and minimum order must be whole numbers, and invalid input stays as entered', async () => {
    const { user, calls } = showAdminPage(<AddProductPage />, {});
    await user.type(screen.getByLabelText(/^Name/), 'Heron Mini');
    await user.type(screen.getByLabelText(/^Price/), '9500.5');
    await user.type(screen.getByLabelText(/^Quantity/), '2.5');
    await user.type(screen.getByLabelText(/^Minimum order/), '1,5{Enter}');
    expect(screen.getAllByText('Enter a whole number.')).toHaveLength(2);
    expect((screen.getByLabelText(/^Quantity/) as HTMLInputElement).value).toBe('2.5');
    expect((screen.getByLabelText(/^Minimum order/) as HTMLInputElement).value).toBe('1,5');
    expect(calls).not.toContain('POST /products');
  });

  it('A4 submitting the form adds the product and shows a confirmation', async () => {
    let sent: unknown;
    const { user } = showAdminPage(<AddProductPage />, {
      'POST /products': ({ body }) => {
        sent = body;
        return created;
      },
    });
    await user.type(screen.getByLabelText(/^Name/), 'Heron Mini');
    await user.type(screen.getByLabelText(/^Price/), '9500.5');
    await user.type(screen.getByLabelText(/^Quantity/), '9');
    await user.type(screen.getByLabelText(/^Minimum order/), '1{Enter}');
    expect(await screen.findByText('Your product have been added')).toBeTruthy();
    expect(sent).toMatchObject({ name: 'Heron Mini', price: 9500.5, quantity: 9, minorder: 1 });
    expect((screen.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('');
  });
});
