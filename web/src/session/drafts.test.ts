import { afterEach, describe, expect, it } from 'vitest';
import { draftOf, keepDraft } from './drafts.ts';
import { draftKey } from './forget-drafts.ts';

const WHO = 'tanvir@micro-center.test';

describe('a draft in session storage', () => {
  afterEach(() => sessionStorage.clear());

  it('a draft in session storage is read back as it was stored', () => {
    keepDraft(WHO, 'buy', { address: 'Dhanmondi', quantity: 2 });
    expect(draftOf(WHO, 'buy')).toEqual({ address: 'Dhanmondi', quantity: 2 });
  });

  it.each(['', '{"address":', 'Dhanmondi', '[1]', 'null', '{"address":{}}'])(
    'a malformed draft in session storage is ignored: %j',
    (kept) => {
      sessionStorage.setItem(draftKey(WHO, 'buy'), kept);
      expect(draftOf(WHO, 'buy')).toBeNull();
    },
  );
});
