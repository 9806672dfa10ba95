import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { closeApp, problem, showApp, stubShop } from '../../app/app.fixture.tsx';
import { takePushes } from '../../live/follow.ts';
import { deleted, orderOf } from './order.fixture.ts';
import { ShareTracking } from './share-tracking.tsx';

afterEach(closeApp);

const { _id: ID } = orderOf();
const PATH = `/orders/${ID}/tracking`;

/** Renders the component with a stubbed shop that numbers each new link. `before` is the initial link's token, if any. */
function show(before: string | null, answers: Parameters<typeof stubShop>[0] = {}) {
  const link = { token: before };
  let made = 0;
  const calls = stubShop({
    [`GET ${PATH}`]: () => link,
    [`POST ${PATH}`]: () => {
      made += 1;
      link.token = `link-${made}`;
      return link;
    },
    [`DELETE ${PATH}`]: () => {
      link.token = null;
      return deleted;
    },
    ...answers,
  });
  const { store } = showApp([{ path: '/', element: <ShareTracking orderId={ID} /> }]);
  return { calls, link, store };
}

const shareButton = () => screen.findByRole('button', { name: 'Share tracking link' });
const field = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Tracking link' });

describe('sharing a tracking link', () => {
  it('K6 a tracking link can be created, copied and withdrawn, and sharing again creates a different link', async () => {
    show(null);
    const user = userEvent.setup();
    await user.click(await shareButton());
    expect((await field()).value).toBe(`${window.location.origin}/track/link-1`);
    expect(document.activeElement).toBe(await field());
    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/track/link-1`);
    screen.getByRole('button', { name: 'Copied' });
    await user.click(screen.getByRole('button', { name: 'Stop sharing' }));
    expect(document.activeElement).toBe(await shareButton());
    await user.click(await shareButton());
    expect((await field()).value).toBe(`${window.location.origin}/track/link-2`);
  });

  it('K6 the tracking link of an order that is already shared is shown without moving the focus to the link', async () => {
    const { calls } = show('link-0');
    expect((await field()).value).toBe(`${window.location.origin}/track/link-0`);
    expect(document.activeElement).toBe(document.body);
    expect(calls.filter((call) => call.endsWith('/tracking'))).toEqual([`GET ${PATH}`]);
  });

  it('K6 LIVE1 a tracking link disappears from the page when the user stops sharing the order in another window', async () => {
    const { link, store } = show('link-0');
    await field();
    link.token = null;
    act(() => void store.dispatch(takePushes([{ kind: 'order', id: ID, version: 9, view: orderOf({ version: 9 }) }])));
    await shareButton();
  });

  it('K6 if a tracking link cannot be created, the page says why', async () => {
    show(null, { [`POST ${PATH}`]: () => problem('overloaded') });
    await userEvent.click(await shareButton());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('The shop is very busy. Please try again in a moment.');
    await waitFor(async () => expect((await shareButton()).hasAttribute('data-loading')).toBe(false));
  });
});
