import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { theme } from './theme.ts';

const text = readFileSync(resolve(import.meta.dirname, '../../starting.html'), 'utf8');
const page = new DOMParser().parseFromString(text, 'text/html');

it('START2 the page that is shown while the shop starts needs no other file and no script', () => {
  expect(page.querySelectorAll('script, img, iframe')).toHaveLength(0);
  for (const link of page.querySelectorAll('link')) expect(link.href).toMatch(/^data:/);
  expect(text).not.toMatch(/url\(|@import|\son\w+=/);
});

it('D1 START2 the page that is shown while the shop starts has the colours and font sizes of the theme', () => {
  const colours = new Set(['#ffffff', theme.black, ...Object.values(theme.colors ?? {}).flat()]);
  const style = page.querySelector('style')?.textContent ?? '';
  const used = style.match(/#[\da-f]{3,8}\b/gi) ?? [];
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((colour) => !colours.has(colour))).toEqual([]);
  expect(style).toContain(`font-size: ${theme.fontSizes?.xl};`);
  expect(style).toContain('font: 16px/1.55 system-ui');
});
