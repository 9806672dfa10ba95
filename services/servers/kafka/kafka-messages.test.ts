import { describe, expect, it } from 'vitest';
import { commitName } from '../../contracts/ids.ts';
import { freshStream, sampleEvent } from '../../engine/log/sample-events.fixture.ts';
import type { IncomingMessage } from './kafka-cluster.ts';
import { fromMessage, toMessages, UnreadableMessage } from './kafka-messages.ts';
import { asRead } from './written-messages.fixture.ts';

const stream = freshStream();
const events = [
  sampleEvent(stream, 7),
  sampleEvent(stream, 8, { cause: 'place:ঠিকানা', data: { note: '৳', list: [1, {}] } }),
];
const name = commitName(stream, 7);
const messages = toMessages({ name, events });

function changed(changes: { value?: Buffer | null; headers?: Record<string, unknown> }): IncomingMessage {
  const [message] = asRead(messages);
  if (!message) throw new Error('There is no message.');
  return { ...message, ...changes, headers: { ...message.headers, ...changes.headers } };
}

describe("the feed's Kafka messages", () => {
  it('each event becomes one message, with its stream as the key, its CloudEvents attributes as the headers and its data as the value', () => {
    expect(messages[0]).toEqual({
      key: stream,
      value: JSON.stringify(events[0]?.data),
      headers: {
        'content-type': 'application/json',
        ce_specversion: '1.0',
        ce_id: events[0]?.id,
        ce_source: '/micro-center',
        ce_type: 'PaymentStarted',
        ce_subject: stream,
        ce_time: events[0]?.time,
        ce_streamversion: '7',
        ce_schemaversion: '1',
        ce_cause: 'intent:7',
        ce_correlationid: events[0]?.correlationid,
        ce_actor: 'system:sample',
        ce_commit: name,
        ce_commitsize: '2',
      },
    });
  });

  it('each message is read back as the event that it was created from', () => {
    expect(asRead(messages).map(fromMessage)).toEqual(events.map((event) => ({ event, commit: name, commitSize: 2 })));
  });

  it.each([
    ['without a header', { headers: { ce_commit: undefined } }],
    ['with a header twice', { headers: { ce_id: [Buffer.from('a'), Buffer.from('b')] } }],
    ['of another CloudEvents version', { headers: { ce_specversion: Buffer.from('2.0') } }],
    ['with a version that is not a number', { headers: { ce_streamversion: Buffer.from('7e1') } }],
    ['with a version that is too large', { headers: { ce_streamversion: Buffer.from('9'.repeat(40)) } }],
    ['of version 0', { headers: { ce_streamversion: Buffer.from('0') } }],
    ['of a commit without events', { headers: { ce_commitsize: Buffer.from('0') } }],
    ['of an impossible stream', { headers: { ce_subject: Buffer.from('invoice-1') } }],
    ['without a value', { value: null }],
    ['whose value is not JSON', { value: Buffer.from('{"secret') }],
    ['whose value is not an object', { value: Buffer.from('["secret"]') }],
  ])('a message %s is rejected, and the error contains nothing of its content', (_, changes) => {
    const message = changed({ value: Buffer.from('{"a":"secret"}'), ...changes });
    expect(() => fromMessage(message)).toThrow(UnreadableMessage);
    expect(() => fromMessage(message)).not.toThrow(/secret/);
  });
});
