import { beforeEach, describe, expect, it } from 'vitest';
import { type Batched, type BatchSettings, batchRequests } from './batch-requests.ts';

interface SentBatch {
  readonly requests: readonly number[];
  reply(replies: readonly (string | Error)[]): void;
  fail(error: Error): void;
}

describe('batching requests', () => {
  let batches: SentBatch[];
  let send: Batched<number, string>;

  beforeEach(() => {
    batches = [];
    send = open(1);
  });

  function open(
    maxInFlight: number,
    maxBatchSize: BatchSettings<number, string>['maxBatchSize'] = 3,
    sendAlone?: BatchSettings<number, string>['sendAlone'],
  ): Batched<number, string> {
    return batchRequests({
      maxBatchSize,
      maxInFlight,
      ...(sendAlone && { sendAlone }),
      send: (requests) =>
        new Promise((reply, fail) => {
          batches.push({ requests, reply, fail });
        }),
    });
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const sent = () => batches.map(({ requests }) => requests);

  it('requests made in the same turn of the event loop share a batch', async () => {
    const replies = [send(1), send(2)];
    expect(batches).toEqual([]);
    await turn();
    expect(sent()).toEqual([[1, 2]]);
    batches[0]?.reply(['one', 'two']);
    expect(await Promise.all(replies)).toEqual(['one', 'two']);
  });

  it('requests made while a batch is in flight share the next batch', async () => {
    const first = send(1);
    await turn();
    const second = send(2);
    await turn();
    const third = send(3);
    await turn();
    expect(sent()).toEqual([[1]]);
    batches[0]?.reply(['one']);
    expect(await first).toBe('one');
    await turn();
    expect(sent()).toEqual([[1], [2, 3]]);
    batches[1]?.reply(['two', 'three']);
    expect(await Promise.all([second, third])).toEqual(['two', 'three']);
  });

  it('a batch contains at most maxBatchSize requests', async () => {
    const replies = [1, 2, 3, 4].map(send);
    await turn();
    expect(sent()).toEqual([[1, 2, 3]]);
    batches[0]?.reply(['1', '2', '3']);
    await Promise.all(replies.slice(0, 3));
    await turn();
    expect(sent()).toEqual([[1, 2, 3], [4]]);
  });

  it('maxBatchSize can be a function that decides how many waiting requests fit in the next batch', async () => {
    const fit = (waiting: readonly number[]) => (waiting[0] === 9 ? 1 : 2);
    send = open(1, fit);
    for (const request of [9, 1, 2, 3]) void send(request);
    for (let batch = 0; batch < 3; batch += 1) {
      await turn();
      batches[batch]?.reply(['', '']);
      await turn();
    }
    expect(sent()).toEqual([[9], [1, 2], [3]]);
  });

  it('waiting requests can be rejected before they are sent, and later requests are still sent', async () => {
    const first = send(1);
    await turn();
    const waiting = send(2).catch((error: Error) => error.message);
    send.rejectWaiting(new Error('closed'));
    expect(await waiting).toBe('closed');
    batches[0]?.reply(['one']);
    expect(await first).toBe('one');
    void send(3);
    await turn();
    expect(sent()).toEqual([[1], [3]]);
  });

  it('at most maxInFlight batches are in flight at a time', async () => {
    send = open(2);
    for (const request of [1, 2, 3]) {
      void send(request);
      await turn();
    }
    expect(sent()).toEqual([[1], [2]]);
    batches[1]?.reply(['two']);
    await turn();
    await turn();
    expect(sent()).toEqual([[1], [2], [3]]);
  });

  it('if a batch fails, all its requests fail, and the next batch is still sent', async () => {
    const failing = [1, 2].map((request) => send(request).catch((error: Error) => error.message));
    await turn();
    const next = send(3);
    batches[0]?.fail(new Error('lost'));
    expect(await Promise.all(failing)).toEqual(['lost', 'lost']);
    await turn();
    batches[1]?.reply(['three']);
    expect(await next).toBe('three');
  });

  it('a request doesn’t fail just because another request in its batch does', async () => {
    const [bad, good] = [send(1).catch((error: Error) => error.message), send(2)];
    await turn();
    batches[0]?.reply([new Error('bad'), 'two']);
    expect([await bad, await good]).toEqual(['bad', 'two']);
  });

  it('a request that is made twice is sent twice, because replies aren’t cached', async () => {
    const replies = [send(1), send(1)];
    await turn();
    expect(sent()).toEqual([[1, 1]]);
    batches[0]?.reply(['a', 'b']);
    expect(await Promise.all(replies)).toEqual(['a', 'b']);
  });

  it('if one request makes its batch fail, the requests are resent one by one, and only that request rejects', async () => {
    send = open(1, 3, (error) => (error as Error).message === 'unfit');
    const replies = [1, 2, 3].map((request) => send(request).catch((error: Error) => error.message));
    await turn();
    batches[0]?.fail(new Error('unfit'));
    await turn();
    expect(sent()).toEqual([[1, 2, 3], [1], [2], [3]]);
    batches[1]?.reply(['one']);
    batches[2]?.fail(new Error('unfit'));
    batches[3]?.reply(['three']);
    expect(await Promise.all(replies)).toEqual(['one', 'unfit', 'three']);
    const later = [4, 5].map((request) => send(request).catch((error: Error) => error.message));
    await turn();
    batches[4]?.fail(new Error('down'));
    expect(await Promise.all(later)).toEqual(['down', 'down']);
  });
});
