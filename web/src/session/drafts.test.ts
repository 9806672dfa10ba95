import { afterEach, describe, expect, it } from 'vitest';
import { draftOf, keepDraft } from './drafts.ts';
import { draftKey } from './forget-drafts.ts';

const WHO = 'tanvir@micro-center.test';

describe('a draft in the storage of the tab', () => {
  afterEach(() => sessionStorage.clear());

  it('comes back as it was kept', () => {
    keepDraft(WHO, 'buy', { address: 'Dhanmondi', quantity: 2 });
    expect(draftOf(WHO, 'buy')).toEqual({ address: 'Dhanmondi', quantity: 2 });
  });

  it.each(['', '{"address":', 'Dhanmondi', '[1]', 'null', '{"address":{}}'])('is as if there were none: %j', (kept) => {
    sessionStorage.setItem(draftKey(WHO, 'buy'), kept);
    expect(draftOf(WHO, 'buy')).toBeNull();
  });
});
