import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const WEB = resolve(import.meta.dirname, '../..');
const page = new DOMParser().parseFromString(readFileSync(resolve(WEB, 'index.html'), 'utf8'), 'text/html');
const isPublic = (path: string) => existsSync(resolve(WEB, 'public', path.replace(/^\//, '')));

it('index.html links to icons and a manifest, and all of these files exist', () => {
  const links = [...page.querySelectorAll('link')].map((link) => [link.rel, link.getAttribute('href') ?? '']);
  expect(links.map(([rel]) => rel).sort()).toEqual(['apple-touch-icon', 'icon', 'icon', 'manifest']);
  for (const [rel, href] of links) expect(isPublic(href ?? ''), `${rel} ${href}`).toBe(true);
  const manifest = JSON.parse(readFileSync(resolve(WEB, 'public/manifest.webmanifest'), 'utf8'));
  expect(manifest.name).toBe('Micro Center');
  for (const { src } of manifest.icons as { src: string }[]) expect(isPublic(src), src).toBe(true);
});

it('index.html has a title, a description and an image for link previews', () => {
  const shown = (property: string) => page.querySelector(`meta[property="${property}"]`)?.getAttribute('content');
  expect(shown('og:title')).toBe('Micro Center');
  expect(shown('og:site_name')).toBe('Micro Center');
  expect(shown('og:description')).toContain('live stock');
  expect(isPublic('/og-image.png')).toBe(true);
});

it('index.html has each place that the server fills', () => {
  const html = readFileSync(resolve(WEB, 'index.html'), 'utf8');
  for (const place of ['about', 'config', 'assets', 'page']) {
    expect(html.split(`<!-- ${place} -->`), place).toHaveLength(2);
    expect(html.split(`<!-- /${place} -->`), place).toHaveLength(2);
  }
});
