import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeApp, showApp, stubShop } from '../../app/app.fixture.tsx';
import PortfolioPage from '../portfolio/portfolio-page.tsx';
import BlogsPage, { COLLAPSE_DURATION } from './blogs-page.tsx';

const routes = [
  { path: '/blogs', element: <BlogsPage /> },
  { path: '/myportfolio', element: <PortfolioPage /> },
];

describe('static pages', () => {
  beforeEach(() => void stubShop());
  afterEach(closeApp);

  it('B1 the blogs page has five panels that open and close in 300 ms', () => {
    expect(COLLAPSE_DURATION).toBe(300);
    showApp(routes, '/blogs');
    const panels = screen.getAllByRole('button', { expanded: false });
    expect(panels).toHaveLength(5);
    const topics = [/performance of a React/, /manage a state/, /unit test/, /array of products/, /setter/];
    topics.forEach((topic, position) => {
      expect(panels[position]?.textContent).toMatch(topic);
    });
    const [first] = panels;
    if (first === undefined) throw new Error('There is no panel.');
    fireEvent.click(first);
    expect(first.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(first);
    expect(first.getAttribute('aria-expanded')).toBe('false');
    panels.forEach((panel, position) => {
      fireEvent.click(panel);
      expect(panels.map((one) => one.getAttribute('aria-expanded'))).toEqual(
        panels.map((_, other) => String(other <= position)),
      );
    });
    expect(document.title).toBe('Blogs - Micro Center');
  });

  it('B2 the portfolio page shows education, skills and project links', () => {
    showApp(routes, '/myportfolio');
    for (const name of ['Education', 'Skills', 'Projects']) screen.getByRole('heading', { level: 2, name });
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toHaveLength(3);
    for (const link of links) expect(link).toMatch(/^\/[a-z]/);
    expect(document.title).toBe('Portfolio - Micro Center');
  });
});
