import { describe, expect, it } from 'vitest';
import { commitName, streamName, streamOfCommit } from './ids.ts';

const stream = streamName('order', 'ab'.repeat(12));

describe('commit names', () => {
  it("LOG2 sorting a stream's commit names as strings puts them in order of version", () => {
    const versions = [1, 2, 9, 10, 99, 100, 1_000_000];
    const names = versions.map((version) => commitName(stream, version));
    expect([...names].reverse().sort()).toEqual(names);
  });

  it('a commit name contains the name of its stream', () => {
    expect(streamOfCommit(commitName(stream, 17))).toBe(stream);
  });

  it.each([stream, `${stream}:17`, `${stream}-000000000017`, `invoice-1:000000000017`, ''])(
    'streamOfCommit() returns null for the malformed commit name %o',
    (name) => {
      expect(streamOfCommit(name)).toBe(null);
    },
  );
});
