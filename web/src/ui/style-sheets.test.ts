import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_THEME } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { BAR, CARDS } from './use-virtual-rows.ts';

const ROOT = join(import.meta.dirname, '..');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const matches = (text: string, pattern: RegExp) => new Set(Array.from(text.matchAll(pattern), ([, found]) => found));

const TOKENS = 'ui/tokens.css';
const BREAKPOINTS = 'ui/breakpoints.css';
const sheets = files.filter((file) => file.endsWith('.css'));
const modules = sheets.filter((file) => file.endsWith('.module.css'));

describe('the style sheets', () => {
  it.each(sheets.filter((file) => file !== TOKENS))('%s measures by tokens, never in pixels', (file) => {
    expect(read(file).match(/[\d.]+px\b/g)).toBeNull();
  });

  it.each(sheets.filter((file) => file !== BREAKPOINTS))('%s names its break points', (file) => {
    expect(read(file).match(/@media[^{]*\d(em|rem|px)\b.*/g)).toBeNull();
  });

  it.each(sheets)('D1 %s keeps to the sizes, weights and radii of docs/style.md', (file) => {
    const values = (property: string) => matches(read(file), new RegExp(`[\\s;]${property}:\\s*([^;]+);`, 'g'));
    for (const size of values('font-size'))
      expect(size).toMatch(/^(inherit|var\(--mantine-font-size-(xs|sm|md|lg|xl)\))$/);
    for (const weight of values('font-weight')) {
      expect(weight).toMatch(/^(400|600|700|inherit|var\(--mantine-font-weight-\w+\)|100 500|600 900)$/);
    }
    for (const radius of values('border-radius'))
      expect(radius).toMatch(/^(0|50%|var\(--mantine-radius-(xs|sm|md|lg|default)\))$/);
  });

  it.each(modules)(
    'A1 %s asks no page or board :has(), which would work out the style of all rows anew for each that comes',
    (file) => {
      expect(read(file).match(/\.(page|board):has\(/g)).toBeNull();
    },
  );

  it.each(modules)('%s has the classes that are used, and no other', (file) => {
    const users = files.filter((other) => /\.tsx?$/.test(other) && read(other).includes(`/${basename(file)}'`));
    const used = matches(users.map(read).join('\n'), /\bstyles\.(\w+)/g);
    const defined = matches(read(file).replaceAll(/@import.*|:global\([^)]*\)/g, ''), /\.([a-z]\w*)/gi);
    expect([...defined].sort()).toEqual([...used].sort());
  });

  it('says the same as the theme and the scripts do', () => {
    const { sm, md, lg } = DEFAULT_THEME.breakpoints;
    const breakpoints = read(BREAKPOINTS);
    for (const [name, width] of Object.entries({ sm, md, lg })) {
      expect(breakpoints).toContain(`@custom-media --${name}-up (width >= ${width});`);
    }
    expect(breakpoints).toContain(`@custom-media --sm-down (width <= ${/[\d.]+em/.exec(CARDS)?.[0]});`);
    expect(read(TOKENS)).toContain(`--bar-height: ${BAR}px;`);
  });
});
