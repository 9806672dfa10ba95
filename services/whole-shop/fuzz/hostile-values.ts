import fc from 'fast-check';

/** Strings that people, programs and attackers send where text is expected. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 40, unit: 'binary' }),
  fc.string({ maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e৳ 🖥️',
    '0',
    '-1',
    '1e-9',
    '9007199254740993',
    'NaN',
    'null',
    '__proto__',
    'constructor',
    '%',
    '%00',
    '%c0%ae%c0%ae/',
    '../../../etc/passwd',
    '<script>alert(1)</script>',
    "' OR 1=1 --",
    '{"$gt":""}',
    '[object Object]',
    `${'x'.repeat(5_000)}`,
  ),
);

export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, -1, 1e-9, 0.001, 0.005, 1.005, 1e21, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 1_000_001),
);

/** Any JSON value, including objects with a `__proto__` key. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hostileText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], { toString: 1 }, { length: -1 }),
);

/** Text that isn't JSON, or JSON that no handler expects. */
export const brokenJson: fc.Arbitrary<string> = fc.constantFrom(
  '',
  '{',
  '[',
  'undefined',
  '{"a":1}{"a":2}',
  '{"__proto__":{"admin":true}}',
  `${'['.repeat(20_000)}`,
  `"${'x'.repeat(200_000)}"`,
  '\ufeff{}',
  '{"quantity":1e400}',
);
