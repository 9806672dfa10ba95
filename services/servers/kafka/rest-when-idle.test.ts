import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import './kafkajs-cluster.ts';
import { restWhenIdle } from './rest-when-idle.ts';

interface Queue {
  throttledUntil: number;
  push(request: { entry: { correlationId: number }; expectResponse: boolean; sendRequest: () => void }): void;
  fulfillRequest(answer: { correlationId: number; size: number; payload: unknown }): void;
  destroy(): void;
}
const Queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
  options: Record<string, unknown>,
) => Queue;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Opens kafkajs's request queue for a connection that allows one request in flight. `sent` lists the ids of the
 * requests that the queue has sent.
 */
function openQueue() {
  const queue = new Queue({ maxInFlightRequests: 1, logger: { debug() {}, warn() {} } });
  const sent: number[] = [];
  const push = (correlationId: number) => {
    const entry = { correlationId, resolve() {}, reject() {} };
    queue.push({ entry, expectResponse: true, sendRequest: () => sent.push(correlationId) });
  };
  return { queue, sent, push };
}

describe('kafkajs request queues', () => {
  it('a kafkajs request queue sets no timer while no request is pending', () => {
    const { queue, sent, push } = openQueue();
    push(1);
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null });
    expect(sent).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a pending request is sent once the request before it has been answered, or once throttling ends', () => {
    const { queue, sent, push } = openQueue();
    push(1);
    push(2);
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null });
    expect(sent).toEqual([1, 2]);
    queue.fulfillRequest({ correlationId: 2, size: 0, payload: null });
    queue.throttledUntil = Date.now() + 500;
    push(3);
    vi.advanceTimersByTime(499);
    expect(sent).toEqual([1, 2]);
    vi.advanceTimersByTime(20);
    expect(sent).toEqual([1, 2, 3]);
    queue.destroy();
  });

  it('restWhenIdle() throws if this version of kafkajs implements its request queues differently', () => {
    expect(() => restWhenIdle(undefined)).toThrow('This version of kafkajs queues its requests in another way.');
  });
});
