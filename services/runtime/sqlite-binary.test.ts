import { expect, it } from 'vitest';
import { isUnsafe } from './sqlite-binary.ts';

const [plain, hooked] = [Buffer.from('\0open\0'), Buffer.from('\0_ZN4node28RemoveEnvironmentCleanupHookEPv\0')];

it.each([
  ['24.21.0', hooked, true],
  ['24.18.0', hooked, true],
  ['24.21.0', plain, false],
  ['26.10.0', hooked, false],
  ['20.20.2', plain, false],
])(
  'E31 LOG1 on Node %s, a better-sqlite3 binary that removes cleanup hooks could abort the shop (case %#)',
  (version, binary, unsafe) => {
    expect(isUnsafe(version, binary)).toBe(unsafe);
  },
);
