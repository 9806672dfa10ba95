import { expect, it } from 'vitest';
import { readDraft } from './draft.ts';

it.each([undefined, null, 'Dhanmondi', [1], {}, { address: 'Dhanmondi' }, { fields: { address: {} }, key: null }])(
  'P5 a malformed draft is ignored: %j',
  (kept) => expect(readDraft(kept)).toBeUndefined(),
);

it('P5 CMD3 a draft is read back as it was stored', () => {
  const draft = { fields: { address: 'Dhanmondi', quantity: 2, cancel: true }, key: 'k1' };
  expect(readDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
});
