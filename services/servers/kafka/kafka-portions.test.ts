import { describe, expect, it } from 'vitest';
import { commitName } from '../../contracts/ids.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import type { IncomingMessage } from './kafka-cluster.ts';
import { type FedEvent, toMessages } from './kafka-messages.ts';
import { closableCommits, portionsOf } from './kafka-portions.ts';
import { asRead } from './written-messages.fixture.ts';

const stream = freshStream();

/** Returns the messages of consecutive commits. `sizes` gives the number of events in each commit. */
function messagesOf(sizes: readonly number[]): IncomingMessage[] {
  let version = 1;
  const messages = sizes.flatMap((size) => {
    const events = Array.from({ length: size }, (_, index) => sampleEvent(stream, version + index));
    version += size;
    return toMessages({ name: commitName(stream, events[0]?.streamversion ?? 0), events });
  });
  return asRead(messages, 100);
}

function cut(messages: readonly IncomingMessage[]) {
  const told: string[] = [];
  const batch = { topic: 'shop.order', partition: 2, messages };
  const portions = [...portionsOf(batch, (error) => told.push(error.message))];
  return { portions, told, sizes: portions.map(({ events }) => events.length) };
}

describe('portions of a batch', () => {
  it('FEED2 a portion contains only whole commits, and ends with the commit that brings it to at least 256 events', () => {
    const { portions, sizes } = cut(messagesOf([200, 40, 30, 3, 250, 6, 1]));
    expect(sizes).toEqual([270, 259, 1]);
    expect(portions.map(({ lastOffset }) => lastOffset)).toEqual([369, 628, 629]);
  });

  it('FEED2 a message that is not an event is skipped and reported with its position', () => {
    const [first, ...rest] = messagesOf([1, 2]);
    const strange = { offset: 90, key: null, value: Buffer.from('{"secret":1}'), headers: {} };
    const { portions, told } = cut([strange, ...(first ? [first] : []), { ...strange, offset: 101 }, ...rest]);
    expect(portions.map(({ events }) => events.length)).toEqual([3]);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/^Message 90 of partition 2 of shop.order is passed over: its headers are not an event's/);
    expect(told.join()).not.toContain('secret');
  });

  it('FEED2 a batch that contains no events becomes one empty portion, so that its messages are not read again', () => {
    const { portions } = cut([{ offset: 5, key: null, value: null, headers: {} }]);
    expect(portions).toEqual([{ events: [], lastOffset: 5 }]);
  });

  it('an empty batch has no portions', () => {
    expect(cut([]).portions).toEqual([]);
  });
});

describe('commits that can be closed', () => {
  const fed = (commit: string, version: number, commitSize: number): FedEvent => ({
    event: sampleEvent(stream, version, { id: `${commit}/${version}` }),
    commit,
    commitSize,
  });

  it('FEED2 a commit can be closed once all its events have arrived and have been handled successfully', () => {
    const events = [fed('whole', 1, 2), fed('whole', 2, 2), fed('failed', 3, 2), fed('failed', 4, 2), fed('cut', 5, 2)];
    expect(closableCommits(events, new Set(['failed/4']))).toEqual(['whole']);
  });

  it('FEED2 a two-event commit stays open if one of its events arrives twice and the other has not arrived', () => {
    expect(closableCommits([fed('twice', 1, 2), fed('twice', 1, 2)], new Set())).toEqual([]);
  });
});
