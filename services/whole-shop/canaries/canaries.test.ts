import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CANARIES } from './canaries.ts';
import { pathOf } from './canary.ts';

describe('canaries', () => {
  it.each(CANARIES)('$rule the canary $name still applies to $file', ({ file, replace: [old, broken] }) => {
    const source = readFileSync(new URL(`../../../${pathOf({ file })}`, import.meta.url), 'utf8');
    expect(source.split(old)).toHaveLength(2);
    expect(broken).not.toBe(old);
  });

  it('PRJ1 at least 40 canaries have different names', () => {
    expect(new Set(CANARIES.map(({ name }) => name)).size).toBe(CANARIES.length);
    expect(CANARIES.length).toBeGreaterThanOrEqual(40);
  });
});
