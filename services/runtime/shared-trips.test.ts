import { beforeEach, describe, expect, it } from 'vitest';
import { type Ask, shareTrips } from './shared-trips.ts';

interface Trip {
  readonly questions: readonly number[];
  answer(answers: readonly (string | Error)[]): void;
  fail(error: Error): void;
}

describe('questions that share their trips', () => {
  let trips: Trip[];
  let ask: Ask<number, string>;

  beforeEach(() => {
    trips = [];
    ask = open(1);
  });

  function open(atOnce: number, most = 3): Ask<number, string> {
    return shareTrips({
      most,
      atOnce,
      ask: (questions) =>
        new Promise((answer, fail) => {
          trips.push({ questions, answer, fail });
        }),
    });
  }

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const asked = () => trips.map(({ questions }) => questions);

  it('go out together where they come in one turn', async () => {
    const answers = [ask(1), ask(2)];
    expect(trips).toEqual([]);
    await turn();
    expect(asked()).toEqual([[1, 2]]);
    trips[0]?.answer(['one', 'two']);
    expect(await Promise.all(answers)).toEqual(['one', 'two']);
  });

  it('never join a trip that has begun: what comes meanwhile goes out together with the next', async () => {
    const first = ask(1);
    await turn();
    const second = ask(2);
    await turn();
    const third = ask(3);
    await turn();
    expect(asked()).toEqual([[1]]);
    trips[0]?.answer(['one']);
    expect(await first).toBe('one');
    await turn();
    expect(asked()).toEqual([[1], [2, 3]]);
    trips[1]?.answer(['two', 'three']);
    expect(await Promise.all([second, third])).toEqual(['two', 'three']);
  });

  it('are at most so many in one trip', async () => {
    const answers = [1, 2, 3, 4].map(ask);
    await turn();
    expect(asked()).toEqual([[1, 2, 3]]);
    trips[0]?.answer(['1', '2', '3']);
    await Promise.all(answers.slice(0, 3));
    await turn();
    expect(asked()).toEqual([[1, 2, 3], [4]]);
  });

  it('have so many trips under way at once', async () => {
    ask = open(2);
    for (const question of [1, 2, 3]) {
      void ask(question);
      await turn();
    }
    expect(asked()).toEqual([[1], [2]]);
    trips[1]?.answer(['two']);
    await turn();
    await turn();
    expect(asked()).toEqual([[1], [2], [3]]);
  });

  it('all fail where their trip does, and the next trip begins', async () => {
    const failing = [1, 2].map((question) => ask(question).catch((error: Error) => error.message));
    await turn();
    const next = ask(3);
    trips[0]?.fail(new Error('lost'));
    expect(await Promise.all(failing)).toEqual(['lost', 'lost']);
    await turn();
    trips[1]?.answer(['three']);
    expect(await next).toBe('three');
  });

  it('fail alone where one alone has failed', async () => {
    const [bad, good] = [ask(1).catch((error: Error) => error.message), ask(2)];
    await turn();
    trips[0]?.answer([new Error('bad'), 'two']);
    expect([await bad, await good]).toEqual(['bad', 'two']);
  });

  it('are asked twice where they are put twice: nothing is remembered', async () => {
    const answers = [ask(1), ask(1)];
    await turn();
    expect(asked()).toEqual([[1, 1]]);
    trips[0]?.answer(['a', 'b']);
    expect(await Promise.all(answers)).toEqual(['a', 'b']);
  });
});
