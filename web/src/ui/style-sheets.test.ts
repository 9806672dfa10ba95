import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DEFAULT_THEME } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { theme } from '../app/theme.ts';
import { BAR, CARDS } from './use-virtual-rows.ts';

const ROOT = join(import.meta.dirname, '..');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const matches = (text: string, pattern: RegExp) => new Set(Array.from(text.matchAll(pattern), ([, found]) => found));

const TOKENS = 'ui/tokens.css';
const BREAKPOINTS = 'ui/breakpoints.css';
const sheets = files.filter((file) => file.endsWith('.css'));
const measured = sheets.filter((file) => file !== TOKENS);
const modules = sheets.filter((file) => file.endsWith('.module.css'));
const components = files.filter((file) => file.endsWith('.tsx') && !/\.(test|fixture)\./.test(file));

/** Returns the distinct values of a style sheet's properties that match the pattern `property`. */
const valuesOf = (file: string, property: string) =>
  matches(read(file), new RegExp(`[\\s;](?:${property}):\\s*([^;]+);`, 'g'));

const SPACE =
  '(?:margin|padding|inset|(?:row-|column-)?gap|top|right|bottom|left)(?:-[\\w-]+)?|outline-offset|box-shadow';
/** All lengths are multiples of this step, in rem. It's 4 px at the default text size. */
const STEP = 0.25;

describe('the style sheets', () => {
  it.each(measured)('the style sheet %s specifies lengths with tokens, never in pixels', (file) => {
    expect(read(file).match(/[\d.]+px\b/g)).toBeNull();
  });

  it.each(measured)(
    'D1 the style sheet %s takes its spacing from the spacing scale, and all its sizes are multiples of 4 px',
    (file) => {
      const spaces = [...valuesOf(file, SPACE)].filter((value) => /\drem\b/.test(value ?? ''));
      const sizes = [...matches(read(file), /(?<![\w.])([\d.]+)rem\b/g)].map(Number);
      expect({ spaces, sizes: sizes.filter((size) => size % STEP !== 0) }).toEqual({ spaces: [], sizes: [] });
    },
  );

  it.each(measured)('D1 %s takes its colours from the theme and the tokens', (file) => {
    const raw =
      /#[\da-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\(|:[^;{]*\b(?:white|black|gr[ae]y|red|green|blue|yellow)\b(?!-)/gi;
    const values = [...valuesOf(file, '[\\w-]+')].map((value) => `: ${value?.replaceAll(/var\(--[\w-]+/g, '')}`);
    expect(values.flatMap((value) => value.match(raw) ?? [])).toEqual([]);
  });

  it.each(measured)('D1 %s uses named layers for z-index', (file) => {
    for (const layer of valuesOf(file, 'z-index')) expect(layer).toMatch(/^var\(--(layer|mantine-z-index)-\w+\)$/);
  });

  it.each(components)('D1 the component %s takes its spacing from the spacing scale', (file) => {
    expect(read(file).match(/\b([mp][trblxy]?|gap|(vertical)?spacing)=\{-?\.?[1-9]/gi)).toBeNull();
  });

  it.each(sheets.filter((file) => file !== BREAKPOINTS))('%s uses named breakpoints', (file) => {
    expect(read(file).match(/@media[^{]*\d(em|rem|px)\b.*/g)).toBeNull();
  });

  it.each(sheets)('D1 %s uses only the font sizes, font weights and radii listed in docs/style.md', (file) => {
    for (const size of valuesOf(file, 'font-size'))
      expect(size).toMatch(/^(inherit|var\(--mantine-font-size-(xs|sm|md|lg|xl)\))$/);
    for (const weight of valuesOf(file, 'font-weight')) {
      expect(weight).toMatch(/^(400|600|700|inherit|var\(--mantine-font-weight-\w+\)|100 500|600 900)$/);
    }
    for (const radius of valuesOf(file, 'border-radius'))
      expect(radius).toMatch(/^(0|50%|var\(--(picture-radius, var\(--)?mantine-radius-(xs|sm|md|lg|default)\)?\))$/);
  });

  it.each(modules)(
    'A1 %s does not use :has() on the page or the board, because each new row would then cause all rows to be restyled',
    (file) => {
      expect(read(file).match(/\.(page|board):has\(/g)).toBeNull();
    },
  );

  it.each(modules)('the CSS module %s defines exactly the classes that the scripts use', (file) => {
    const used = new Set<string | undefined>();
    for (const text of files.filter((other) => /\.tsx?$/.test(other)).map(read)) {
      const [, name] = new RegExp(`import (\\w+) from '[^']*/${basename(file)}'`).exec(text) ?? [];
      if (name) for (const found of matches(text, new RegExp(`\\b${name}\\.(?!module\\b)(\\w+)`, 'g'))) used.add(found);
    }
    const defined = matches(read(file).replaceAll(/@import.*|:global\([^)]*\)/g, ''), /\.([a-z]\w*)/gi);
    expect([...defined].sort()).toEqual([...used].sort());
  });

  it('D1 the style sheets define four breakpoints, and scripts and responsive props use no others', () => {
    const widths = matches(read(BREAKPOINTS), /([\d.]+em)/g);
    expect([...widths]).toEqual(['48em', '62em', '80em', '118em']);
    const scripts = files.filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\./.test(file)).map(read);
    const queries = scripts.flatMap((text) => [...matches(text, /(\([^()]*width[^()]*\dem[^()]*\))/g)]);
    expect(queries.length).toBeGreaterThan(2);
    for (const query of queries)
      for (const width of matches(query ?? '', /([\d.]+em)/g)) expect(widths).toContain(width);
    expect(scripts.flatMap((text) => text.match(/\{ base:[^}]*\b(xs|lg|xl):/g) ?? [])).toEqual([]);
  });

  it('the style sheets use the same breakpoints, bar height and spacing scale as the theme and the scripts', () => {
    const { sm, md } = DEFAULT_THEME.breakpoints;
    const breakpoints = read(BREAKPOINTS);
    expect(breakpoints).toContain(`@custom-media --tablet-up (width >= ${sm});`);
    expect(breakpoints).toContain(`@custom-media --desk-up (width >= ${md});`);
    expect(breakpoints).toContain(`@custom-media --phone ${CARDS};`);
    const tokens = read(TOKENS);
    expect(tokens).toContain(`--bar-height: ${BAR}px;`);
    const steps = matches(tokens, /--(space-\d+):/g);
    for (const space of Object.values(theme.spacing ?? {})) {
      expect(steps).toContain(/^var\(--(space-\d+)\)$/.exec(space ?? '')?.[1]);
    }
  });
});
