import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeApp, reduceMotion, showApp, stubShop } from '../../app/app.fixture.tsx';
import { BANNER_INTERVAL, Banner } from './banner.tsx';

const TITLES = ['Great Selection of desktop computer casing', 'FIRST IS A NEW!?', 'Easier Than Connecting A Cable'];

/** Returns the index of the visible slide, from 0. */
function shown(): number {
  const slides = [...screen.getByTestId('banner').querySelectorAll('[aria-roledescription="slide"]')];
  const visible = slides.filter((slide) => slide.getAttribute('aria-hidden') === 'false');
  expect(visible).toHaveLength(1);
  return slides.findIndex((slide) => visible.includes(slide));
}

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

/** Sends a pointer event. jsdom has no PointerEvent, but React needs only an event with the same type and these fields. */
function point(target: Element, type: string, pointerType: 'mouse' | 'touch', clientX: number): void {
  const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX, button: 0 });
  fireEvent(target, Object.assign(event, { pointerType }));
}

function drag(by: number): void {
  const banner = screen.getByTestId('banner');
  point(banner, 'pointerdown', 'touch', 200);
  point(banner, 'pointermove', 'touch', 200 + by);
  point(banner, 'pointerup', 'touch', 200 + by);
}

describe('Banner', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    stubShop();
    showApp([
      { path: '/', element: <Banner /> },
      { path: '/allproducts', element: <p>All products are here</p> },
    ]);
  });
  afterEach(closeApp);

  it('H2 if the user prefers reduced motion, the banner does not move and has no stop button', () => {
    closeApp();
    vi.useFakeTimers();
    stubShop();
    reduceMotion();
    showApp([{ path: '/', element: <Banner /> }]);
    pass(60_000);
    expect(shown()).toBe(0);
    expect(screen.queryByRole('button', { name: 'Stop the slides' })).toBeNull();
  });

  it('H1 the banner has three slides, each with its text and a BROWSE HERE link to /allproducts', () => {
    const slides = screen.getByTestId('banner').querySelectorAll('[aria-roledescription="slide"]');
    expect(slides).toHaveLength(3);
    const texts = [
      'Good Price & Best Deals',
      'Interchangeable parts with warranty',
      'Enjoy All The Gaming In Your Desktop',
    ];
    slides.forEach((slide, position) => {
      expect(slide.textContent).toContain(TITLES[position]);
      expect(slide.textContent).toContain(texts[position]);
      const link = [...slide.querySelectorAll('a')].find((anchor) => anchor.textContent === 'BROWSE HERE');
      expect(link?.getAttribute('href')).toBe('/allproducts');
    });
  });

  it('H2 the banner shows the next slide after exactly 5,000 ms, and wraps around after the last slide', () => {
    expect(BANNER_INTERVAL).toBe(5000);
    pass(4999);
    expect(shown()).toBe(0);
    pass(1);
    expect(shown()).toBe(1);
    pass(5000);
    expect(shown()).toBe(2);
    pass(5000);
    expect(shown()).toBe(0);
  });

  it('H2 the banner pauses while the mouse is over it, and shows the slide for a full interval after the mouse leaves', () => {
    const banner = screen.getByTestId('banner');
    pass(4000);
    point(banner, 'pointerover', 'mouse', 10);
    pass(60_000);
    expect(shown()).toBe(0);
    point(banner, 'pointerout', 'mouse', 10);
    pass(4999);
    expect(shown()).toBe(0);
    pass(1);
    expect(shown()).toBe(1);
  });

  it('H2 the banner pauses while one of its links has the focus, and resumes once the link loses it', () => {
    const [link] = screen.getAllByRole('link', { name: 'BROWSE HERE' });
    act(() => link?.focus());
    pass(60_000);
    expect(shown()).toBe(0);
    act(() => link?.blur());
    pass(5000);
    expect(shown()).toBe(1);
  });

  it('H2 the banner’s button stops and resumes the slides even while the button itself has the focus', () => {
    const stop = screen.getByRole('button', { name: 'Stop the slides' });
    act(() => stop.focus());
    fireEvent.click(stop);
    pass(60_000);
    expect(shown()).toBe(0);
    fireEvent.click(screen.getByRole('button', { name: 'Let the slides move' }));
    pass(5000);
    expect(shown()).toBe(1);
  });

  it('H2 the banner keeps moving if the mouse is pressed on it and released outside it', () => {
    const banner = screen.getByTestId('banner');
    point(banner, 'pointerdown', 'mouse', 10);
    point(banner, 'pointerout', 'mouse', 300);
    pass(5000);
    expect(shown()).toBe(1);
  });

  it('H2 the banner pauses while it is being touched', () => {
    const banner = screen.getByTestId('banner');
    point(banner, 'pointerdown', 'touch', 10);
    pass(60_000);
    expect(shown()).toBe(0);
    point(banner, 'pointerup', 'touch', 10);
    pass(5000);
    expect(shown()).toBe(1);
  });

  it('H2 a swipe of 40 px in either direction changes the slide, but one of 39 px does not', () => {
    drag(-39);
    expect(shown()).toBe(0);
    drag(-40);
    expect(shown()).toBe(1);
    drag(39);
    expect(shown()).toBe(1);
    drag(40);
    expect(shown()).toBe(0);
  });

  it('H2 a swipe moves the banner only once, even if another pointer is then released over the banner', () => {
    drag(-40);
    point(screen.getByTestId('banner'), 'pointerup', 'mouse', 0);
    expect(shown()).toBe(1);
  });

  it('H2 the banner wraps around at both ends, whether by swipe or by arrow key', () => {
    drag(40);
    expect(shown()).toBe(2);
    drag(-40);
    expect(shown()).toBe(0);
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    expect(shown()).toBe(2);
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(shown()).toBe(0);
  });

  it('H2 the banner ignores arrow keys pressed with Alt, which the browser uses to go back and forward', () => {
    fireEvent.keyDown(document.body, { key: 'ArrowLeft', altKey: true });
    expect(shown()).toBe(0);
  });

  it('H2 a banner link still works when it is clicked after a swipe', () => {
    drag(-40);
    pass(0);
    fireEvent.click(screen.getByRole('link', { name: 'BROWSE HERE' }));
    screen.getByText('All products are here');
  });

  it('H2 a swipe that ends on a banner link does not follow the link', () => {
    const link = screen.getByRole('link', { name: 'BROWSE HERE' });
    point(link, 'pointerdown', 'mouse', 200);
    point(link, 'pointerup', 'mouse', 100);
    fireEvent.click(link);
    expect(screen.queryByText('All products are here')).toBeNull();
    expect(shown()).toBe(1);
  });
});
