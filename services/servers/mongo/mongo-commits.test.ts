import { describe, expect, it } from 'vitest';
import { DOCUMENT_KINDS, STREAM_KINDS, streamName } from '../../contracts/ids.ts';
import { freshId, sampleCommit } from '../../engine/log/sample-events.fixture.ts';
import { commitDocument } from './mongo-commits.ts';

describe('commits as stored in MongoDB', () => {
  it('FEED2 a commit is stored as open only if its stream is projected, because only a projector closes commits', () => {
    const openOnes = STREAM_KINDS.filter((kind) => {
      const commit = sampleCommit(streamName(kind, freshId()), 0);
      return (
        commitDocument(
          commit,
          commit.events.map((event) => JSON.stringify(event)),
        ).open === true
      );
    });
    expect(openOnes).toEqual([...DOCUMENT_KINDS]);
  });
});
