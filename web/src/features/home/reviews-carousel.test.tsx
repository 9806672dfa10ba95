import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp, reduceMotion, showApp, stubShop } from '../../app/app.fixture.tsx';
import { Stars, starsOf } from '../../shop/reviews/stars.tsx';
import { REVIEW_INTERVAL, ReviewsCarousel } from './reviews-carousel.tsx';

function review(number: number) {
  const postedAt = `2026-01-0${number}T00:00:00.000Z`;
  const words = { name: `Item ${number}`, username: `Person ${number}`, description: `Words ${number}` };
  return { _id: `${number}`.repeat(24), ...words, ratings: 4, postedAt, version: 1 };
}

describe('Stars', () => {
  afterEach(closeApp);

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
    [5, 5],
    ['4', 4],
    ['3 stars', 3],
    ['4.6', 4],
    [4.5, 4],
    [4.4, 4],
    [5.5, 5],
    ['7', 0],
    [0, 0],
    [0.4, 0],
    [6, 0],
    [-1, 0],
    ['', 0],
    ['good', 0],
    [Number.NaN, 0],
  ])('H7 a review with the rating %j is shown with %i stars', (rating, stars) => {
    expect(starsOf(rating)).toBe(stars);
    const { container } = render(<Stars rating={rating} />);
    expect(container.querySelectorAll('svg')).toHaveLength(stars);
    expect(container.childElementCount).toBe(stars === 0 ? 0 : 1);
  });
});

describe('ReviewsCarousel', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    stubShop({ 'GET /reviews': () => [7, 6, 5, 4, 3, 2, 1].map(review) });
  });
  afterEach(closeApp);

  async function showReviews() {
    showApp([{ path: '/', element: <ReviewsCarousel /> }]);
    await act(() => vi.waitFor(() => expect(document.querySelector('figure')).not.toBeNull(), { interval: 1 }));
    // Waiting for the reviews has used up part of the first slide's interval. Moving to the next slide and back
    // restarts the interval.
    fireEvent.keyDown(screen.getByTestId('reviews'), { key: 'ArrowRight' });
    fireEvent.keyDown(screen.getByTestId('reviews'), { key: 'ArrowLeft' });
  }

  it('H7 a Bengali review has the lang attribute bn, for screen readers and fonts', async () => {
    const name = 'কেসিং';
    stubShop({ 'GET /reviews': () => [{ ...review(1), name, username: 'রিনা', description: 'খুব ভালো' }] });
    await showReviews();
    expect(screen.getAllByText(/[ক-হ]/).map(({ lang }) => lang)).toEqual(['bn', 'bn', 'bn']);
  });

  const shown = () => document.querySelector('figure[aria-hidden="false"]')?.textContent ?? '';

  it('H7 the carousel shows the first five reviews in a loop, each for 6,100 ms', async () => {
    await showReviews();
    expect(document.querySelectorAll('figure')).toHaveLength(5);
    expect(REVIEW_INTERVAL).toBe(6100);
    for (const number of [7, 6, 5, 4, 3, 7]) {
      expect(shown()).toContain(`Words ${number}`);
      expect(shown()).toContain(`Person ${number}`);
      expect(shown()).toContain(`Item ${number}`);
      act(() => vi.advanceTimersByTime(6099));
      expect(shown()).toContain(`Words ${number}`);
      act(() => vi.advanceTimersByTime(1));
    }
  });

  it('H7 the carousel has no arrows, thumbnails or counter, only a button that stops and resumes it', async () => {
    await showReviews();
    expect(document.body.textContent).not.toMatch(/\d of \d/);
    const [stop, ...others] = screen.getAllByRole('button');
    expect(stop?.getAttribute('aria-label')).toBe('Stop the reviews');
    expect(others).toEqual([]);
    fireEvent.click(screen.getByRole('button', { name: 'Stop the reviews' }));
    act(() => vi.advanceTimersByTime(60_000));
    expect(shown()).toContain('Words 7');
    fireEvent.click(screen.getByRole('button', { name: 'Let the reviews move' }));
    act(() => vi.advanceTimersByTime(REVIEW_INTERVAL));
    expect(shown()).toContain('Words 6');
  });

  it('H7 if the user prefers reduced motion, the carousel does not move and has no stop button', async () => {
    reduceMotion();
    await showReviews();
    act(() => vi.advanceTimersByTime(60_000));
    expect(shown()).toContain('Words 7');
    expect(screen.queryAllByRole('button')).toHaveLength(0);
  });
});
