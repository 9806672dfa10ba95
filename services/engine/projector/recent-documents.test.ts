import { describe, expect, it } from 'vitest';
import { streamName } from '../../contracts/ids.ts';
import type { OrderDocument } from '../../contracts/order/order-document.ts';
import { keepRecentDocuments } from './recent-documents.ts';
import { orderIdOf } from './sample-streams.fixture.ts';

const stream = streamName('order', orderIdOf(1));
const documentOf = (version: number, id = orderIdOf(1)) => ({ kind: 'order', id, version }) as OrderDocument;

describe('recent documents', () => {
  it("PRJ1 before() returns the document as it was just before an event, or null for a stream's first event", () => {
    const recent = keepRecentDocuments();
    expect(recent.before(stream, 1)).toBe(null);
    expect(recent.before(stream, 2)).toBe(undefined);
    recent.saved(stream, documentOf(1));
    expect(recent.before(stream, 2)).toEqual(documentOf(1));
  });

  it('PRJ1 before() returns undefined for a repeated event or an event after a gap, so that the document is read from the store', () => {
    const recent = keepRecentDocuments();
    recent.saved(stream, documentOf(3));
    expect(recent.before(stream, 3)).toBe(undefined);
    expect(recent.before(stream, 5)).toBe(undefined);
  });

  it('PRJ1 the newest version of a document stays cached, even if an older version is saved later', () => {
    const recent = keepRecentDocuments();
    recent.saved(stream, documentOf(3));
    recent.saved(stream, documentOf(2));
    expect(recent.before(stream, 4)).toEqual(documentOf(3));
  });

  it('PRJ1 the number of cached documents is limited, so that a busy shop does not run out of memory', () => {
    const recent = keepRecentDocuments();
    for (let n = 1; n <= 2_001; n += 1) recent.saved(streamName('order', orderIdOf(n)), documentOf(1, orderIdOf(n)));
    expect(recent.before(streamName('order', orderIdOf(1)), 2)).toBe(undefined);
    expect(recent.before(streamName('order', orderIdOf(2_001)), 2)).toBeDefined();
  });
});
