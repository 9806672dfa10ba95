import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ProductImage } from './product-image.tsx';

afterEach(cleanup);

it('R3 an icon stands for a picture that failed to load, and the next picture is tried again', () => {
  const { rerender } = render(<ProductImage src="/gone.jpg" alt="Tower" />);
  fireEvent.error(screen.getByRole('img', { name: 'Tower' }));
  expect(screen.getByRole('img', { name: 'Tower' }).tagName).toBe('svg');
  rerender(<ProductImage src="/there.jpg" alt="Tower" />);
  expect(screen.getByRole('img', { name: 'Tower' }).getAttribute('src')).toBe('/there.jpg');
});
