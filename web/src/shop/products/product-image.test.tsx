import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { ProductImage } from './product-image.tsx';

afterEach(cleanup);

it('R3 an icon replaces a picture that fails to load, and the next picture is loaded as usual', () => {
  const { rerender } = render(<ProductImage src="/gone.jpg" alt="Tower" />);
  fireEvent.error(screen.getByRole('img', { name: 'Tower' }));
  expect(screen.getByRole('img', { name: 'Tower' }).tagName).toBe('svg');
  rerender(<ProductImage src="/there.jpg" alt="Tower" />);
  expect(screen.getByRole('img', { name: 'Tower' }).getAttribute('src')).toBe('/there.jpg');
});
