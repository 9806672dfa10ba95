import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { Toasts, toast } from '../../ui/toasts.tsx';
import { signedIn } from '../auth/session-slice.ts';
import { CUSTOMER, created } from '../orders/order.fixture.ts';
import AddReviewPage from './add-review-page.tsx';

// Toasts outlive the page that showed them.
afterEach(() => {
  toast.remove();
  closeApp();
});

function show(answer: () => unknown = () => created) {
  const bodies: unknown[] = [];
  stubShop({
    'POST /reviews': ({ body }) => {
      bodies.push(body);
      return answer();
    },
  });
  const element = (
    <>
      <AddReviewPage />
      <Toasts />
    </>
  );
  const { store } = showApp([{ path: '/', element }]);
  act(() => void store.dispatch(signedIn(CUSTOMER)));
  const user = userEvent.setup();
  const fill = async (rating: string) => {
    await user.type(screen.getByLabelText(/^Item name/), 'Norwester G7');
    await user.type(screen.getByLabelText(/^Rating/), rating);
    await user.type(screen.getByLabelText(/^Review/), 'Quiet.');
    await user.click(screen.getByRole('button', { name: 'Add review' }));
  };
  return { user, fill, bodies };
}

describe('Add a review', () => {
  it('V1 requires item name, rating and text', async () => {
    const { user, bodies } = show();
    await user.click(screen.getByRole('button', { name: 'Add review' }));
    expect(screen.getByText('Enter the name of the item.')).toBeTruthy();
    expect(screen.getByText(/Enter rating between 1 to/)).toBeTruthy();
    expect(screen.getByText('Write a few words about it.')).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  it.each(['0', '5.1', '6', '-1'])('V2 refuses a rating of %s word for word', async (rating) => {
    const { fill, bodies } = show();
    await fill(rating);
    const message = screen.getByText(/Enter rating between 1 to/);
    expect(message.textContent).toBe('Enter rating between 1 to  5');
    expect(bodies).toEqual([]);
  });

  it.each(['0.5', '5'])('V2 takes a rating of %s', async (rating) => {
    const { fill, bodies } = show();
    await fill(rating);
    expect(await screen.findByText('Your review have been saved')).toBeTruthy();
    expect(bodies).toEqual([
      { name: 'Norwester G7', ratings: Number(rating), description: 'Quiet.', username: 'Rina Akter' },
    ]);
  });

  it('V3 empties the form once saved, and keeps it when saving fails', async () => {
    const saved = show();
    await saved.fill('4');
    expect(await screen.findByText('Your review have been saved')).toBeTruthy();
    expect((screen.getByLabelText(/^Review/) as HTMLTextAreaElement).value).toBe('');
    closeApp();
    const failed = show(() => problem('internal'));
    await failed.fill('4');
    expect(await screen.findByText('Something went wrong on our side.')).toBeTruthy();
    expect((screen.getByLabelText(/^Review/) as HTMLTextAreaElement).value).toBe('Quiet.');
  });
});
