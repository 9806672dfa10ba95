import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { signedIn } from '../../session/session-slice.ts';
import { CUSTOMER, created, orderOf } from '../../shop/orders/order.fixture.ts';
import { Toasts } from '../../ui/toasts.tsx';
import AddReviewPage from './add-review-page.tsx';

afterEach(closeApp);

const wasKept = (rating: string) => sessionStorage.getItem('drafts')?.includes(`"${rating}"`) === true;

/** Puts the rating into the form's draft. It can't be selected, because no star has this value. */
const keepRating = (ratings: string) => {
  const drafts = { review: { fields: { ratings }, key: null } };
  sessionStorage.setItem('drafts', JSON.stringify({ email: CUSTOMER.email, drafts }));
};

function show(answer: () => unknown = () => created, at = '/') {
  const bodies: unknown[] = [];
  stubShop({
    'GET /individual': () => [
      orderOf({ _id: 'a'.repeat(24), placedAt: '2026-01-03T10:00:00.000Z' }),
      orderOf({ _id: 'b'.repeat(24), placedAt: '2026-01-02T10:00:00.000Z', product: 'Dice ITX' }),
      orderOf({ _id: 'c'.repeat(24), placedAt: '2026-01-01T10:00:00.000Z' }),
    ],
    'POST /reviews': ({ body }) => {
      bodies.push(body);
      return answer();
    },
  });
  const posts: RequestInit[] = [];
  const shop = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
    if (init.method === 'POST') posts.push(init);
    return shop(url, init);
  });
  const element = (
    <>
      <AddReviewPage />
      <Toasts />
    </>
  );
  const { store } = showApp([{ path: '/', element }], at);
  act(() => void store.dispatch(signedIn(CUSTOMER)));
  const user = userEvent.setup();
  const fill = async (rating: string) => {
    await user.type(screen.getByLabelText(/^Item name/), 'Norwester G7');
    if (!wasKept(rating)) await user.click(screen.getByRole('radio', { name: new RegExp(`^${rating} star`) }));
    await user.type(screen.getByLabelText(/^Review/), 'Quiet.');
    await user.click(screen.getByRole('button', { name: 'Add review' }));
  };
  const keys = () => posts.map((init) => new Headers(init.headers).get('idempotency-key'));
  return { user, fill, bodies, keys };
}

describe('Add a review', () => {
  it('REV1 the review form suggests each ordered product only once', async () => {
    show();
    await waitFor(() => {
      const offered = [...document.querySelectorAll('datalist option')].map((option) => option.getAttribute('value'));
      expect(offered).toEqual(['Norwester G7', 'Dice ITX']);
    });
    const field = screen.getByLabelText(/^Item name/);
    expect(field.getAttribute('list')).toBe(document.querySelector('datalist')?.id);
  });

  it('V4 the item name is filled in by clicking a purchase or by following a "Write a review" link', async () => {
    const { user } = show();
    await user.click(await screen.findByRole('button', { name: 'Dice ITX' }));
    expect((screen.getByLabelText(/^Item name/) as HTMLInputElement).value).toBe('Dice ITX');
    expect(screen.getByRole('button', { name: 'Dice ITX', pressed: true })).toBeTruthy();
    closeApp();
    const { fill } = show(undefined, '/?item=Norwester%20G7');
    expect((screen.getByLabelText(/^Item name/) as HTMLInputElement).value).toBe('Norwester G7');
    await user.clear(screen.getByLabelText(/^Item name/));
    await fill('4');
    await screen.findByText('Your review have been saved');
    expect((screen.getByLabelText(/^Item name/) as HTMLInputElement).value).toBe('');
  });

  it('V5 the rating stars are radio buttons, each labelled with its number of stars, and respond to the arrow keys', async () => {
    // user-event escapes a group's name with `CSS.escape`, which jsdom lacks.
    vi.stubGlobal('CSS', { escape: (name: string) => name.replace(/[^\w-]/g, '\\$&') });
    const { user } = show();
    const stars = within(screen.getByRole('radiogroup', { name: /^Rating/ })).getAllByRole('radio');
    expect(stars.map((star) => star.getAttribute('aria-label'))).toEqual([
      '1 star, poor',
      '2 stars, fair',
      '3 stars, good',
      '4 stars, very good',
      '5 stars, excellent',
    ]);
    await user.click(stars[2] as HTMLElement);
    await user.keyboard('{ArrowRight}');
    expect(stars.map((star) => (star as HTMLInputElement).checked)).toEqual([false, false, false, true, false]);
    expect(document.activeElement).toBe(stars[3]);
  });

  it('V1 the review form requires an item name, a rating and review text', async () => {
    const { user, bodies } = show();
    await user.click(screen.getByRole('button', { name: 'Add review' }));
    expect(screen.getByText('Enter the name of the item.')).toBeTruthy();
    expect(screen.getByText(/Enter rating between 1 to/)).toBeTruthy();
    expect(screen.getByText('Write a few words about it.')).toBeTruthy();
    expect(bodies).toEqual([]);
  });

  it.each(['0', '5.1', '6', '-1'])(
    'V2 the review form rejects a rating of %s and asks for a rating between 1 and 5',
    async (rating) => {
      keepRating(rating);
      const { fill, bodies } = show();
      await fill(rating);
      const message = screen.getByText(/Enter rating between 1 to/);
      expect(message.textContent).toBe('Enter rating between 1 to  5');
      expect(bodies).toEqual([]);
    },
  );

  it.each(['0.5', '5'])('V2 the review form accepts a rating of %s', async (rating) => {
    if (rating === '0.5') keepRating(rating);
    const { fill, bodies } = show();
    await fill(rating);
    expect(await screen.findByText('Your review have been saved')).toBeTruthy();
    expect(bodies).toEqual([
      { name: 'Norwester G7', ratings: Number(rating), description: 'Quiet.', username: 'Rina Akter' },
    ]);
  });

  it('V3 CMD3 a review submitted twice is sent only once, and a retry after a failure reuses the idempotency key', async () => {
    let release: (() => void) | undefined;
    let failing = true;
    const { user, fill, keys } = show(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return failing ? problem('internal') : created;
    });
    await fill('4');
    const send = screen.getByRole('button', { name: 'Add review' }) as HTMLButtonElement;
    await waitFor(() => expect(send.disabled).toBe(true));
    await user.type(screen.getByLabelText(/^Item name/), '{Enter}');
    release?.();
    await screen.findByText('Something went wrong on our side.');
    expect(keys()).toHaveLength(1);
    failing = false;
    await user.click(send);
    release?.();
    await screen.findByText('Your review have been saved');
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  it('V3 CMD3 if an earlier attempt succeeded, the review form says so, and the next submission uses a new idempotency key', async () => {
    let taken = true;
    const { user, fill, keys } = show(() => (taken ? problem('idempotency_key_reused') : created));
    await fill('4');
    await screen.findByText('An earlier attempt did go through. Send again if you want this one as well.');
    taken = false;
    await user.click(screen.getByRole('button', { name: 'Add review' }));
    await screen.findByText('Your review have been saved');
    expect(new Set(keys()).size).toBe(2);
  });

  it('V1 V2 the review form marks the field that the shop reports as invalid', async () => {
    const errors = [{ path: 'ratings', message: 'Enter rating between 1 to  5' }];
    const refused = { type: 'about:blank', title: 'Please check it.', status: 422, code: 'invalid_request', errors };
    const { fill } = show(() => new Response(JSON.stringify(refused), { status: 422 }));
    await fill('5');
    await screen.findByText('Please check it.');
    expect(screen.getByLabelText(/^Rating/).getAttribute('aria-invalid')).toBe('true');
  });

  it('V3 the review form is cleared once the review is saved, and keeps the entered text if saving fails', async () => {
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
