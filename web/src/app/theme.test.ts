import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { theme } from './theme.ts';

const TOKENS = readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8');
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

/**
 * The text colours of the Mantine components in use, which aren't tokens: ordinary and dimmed text, links, errors,
 * success and warnings.
 */
const INK: Record<Scheme, string[]> = {
  light: [
    theme.black ?? '',
    shade('gray', 6),
    shade('cobalt', 6),
    shade('red', 6),
    shade('green', 7),
    shade('yellow', 7),
  ],
  dark: [
    shade('dark', 0),
    shade('dark', 2),
    shade('cobalt', 3),
    shade('red', 4),
    shade('green', 4),
    shade('yellow', 4),
  ],
};
const PAGE = { light: '#ffffff', dark: shade('dark', 7) };

function shade(colour: string, index: number): string {
  const found = theme.colors?.[colour]?.[index];
  if (found === undefined) throw new Error(`The theme has no ${colour} ${index}.`);
  return found;
}

/**
 * Returns a token's colour in the given scheme. The token must be defined as a pair of theme shades, for light and
 * dark.
 */
function token(name: string, scheme: Scheme): string {
  const shades = new RegExp(`--${name}:\\s*light-dark\\((.*)\\);`).exec(TOKENS)?.[1] ?? '';
  const [light, dark] = [...shades.matchAll(/--mantine-color-(\w+)-(\d)/g)].map(([, colour, index]) =>
    shade(colour ?? '', Number(index)),
  );
  const found = scheme === 'light' ? light : dark;
  if (found === undefined) throw new Error(`${name} is not a pair of shades.`);
  return found;
}

/** Returns a colour's relative luminance as defined by WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe.each(SCHEMES)('the %s theme', (scheme) => {
  it.each(['surface-changed', 'surface-selected', 'surface-quiet'])(
    'D1 every text colour has a contrast ratio of at least 4.5:1 on --%s',
    (surface) => {
      const inks = [...INK[scheme], token('text-quiet', scheme)];
      for (const ink of inks) expect.soft(contrast(ink, token(surface, scheme)), ink).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('D1 warning text has a contrast ratio of at least 4.5:1 to its background', () => {
    expect(contrast(token('text-warning', scheme), token('surface-warning', scheme))).toBeGreaterThanOrEqual(4.5);
  });

  it('D1 changed rows are highlighted in the accent colour, and the highlight stands out from the page', () => {
    expect(TOKENS).toMatch(
      /--surface-changed: light-dark\(var\(--mantine-color-cobalt-\d\), var\(--mantine-color-cobalt-\d\)\)/,
    );
    expect(contrast(token('surface-changed', scheme), PAGE[scheme])).toBeGreaterThan(1.15);
  });
});
