import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatTaka } from './format.ts';
import { usePageTitle } from './page-heading.tsx';
import { ErrorState, Spinner } from './states.tsx';

describe('states', () => {
  beforeEach(() => {
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
  });

  it('R23 the spinner consists of three shapes: a circle, a triangle and a square', () => {
    render(<Spinner label="Loading products" />);
    const spinner = screen.getByRole('status', { name: 'Loading products' });
    const shapes = [...spinner.querySelectorAll('svg')].map((svg) => svg.dataset.shape);
    expect(shapes).toEqual(['circle', 'triangle', 'square']);
  });

  it('R18 the document’s title is the page’s name followed by the shop’s name', () => {
    renderHook(() => usePageTitle('Blogs'));
    expect(document.title).toBe('Blogs - Micro Center');
  });

  it('an error message has a Retry button only if a retry is possible', () => {
    const retry = vi.fn();
    const { rerender } = render(<ErrorState title="No answer" text="The shop cannot be reached." onRetry={retry} />, {
      wrapper: MantineProvider,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledOnce();
    rerender(<ErrorState title="No answer" text="This order does not exist." />);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    [1250, '৳1,250'],
    [0, '৳0'],
    [999999, '৳999,999'],
    [1250.5, '৳1,250.50'],
    [19.99, '৳19.99'],
  ])('H4 an amount of %d taka is formatted as %s', (taka, written) => {
    expect(formatTaka(taka)).toBe(written);
  });
});
