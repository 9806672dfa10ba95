import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../contracts/events.ts';
import { streamName } from '../../contracts/ids.ts';
import { decideBatch } from './decide-batch.ts';
import { metaOf } from './embedded-log.fixture.ts';

const stream = streamName('product', 'b'.repeat(32));
let ids = 0;
function newId(): string {
  ids += 1;
  return `event-${ids}`;
}

/** Returns a decider that produces one event per command. Records in `seen` how many events each command's cause had already produced. */
function countingDecider(seen: number[]) {
  return {
    kind: 'product',
    initialState: 0,
    decide(_command: unknown, state: unknown, { prior }: { prior: readonly RecordedEvent[] }) {
      seen.push(prior.length);
      return { kind: 'accepted', events: [{ type: 'StockAdjusted', data: { by: Number(state) + 1 } }] };
    },
    evolve: (state: unknown) => Number(state) + 1,
  };
}

describe('a batch of commands', () => {
  it('CMD3 CMD4 each command in a batch receives all earlier events with the same cause, from the log and from the batch', () => {
    const seen: number[] = [];
    const decider = countingDecider(seen) as never;
    const waiting = (cause: string) => ({ command: {}, meta: metaOf(cause) }) as never;
    const folded = { state: 0, version: 0 };
    const first = decideBatch({ stream, decider, newId }, [waiting('a')], { folded, recorded: [] } as never);
    const seenStream = { folded: first.folded, recorded: first.events } as never;
    const batch = ['a', 'b', 'a', 'a'].map(waiting);
    const { events, outcomes, folded: after } = decideBatch({ stream, decider, newId }, batch, seenStream);
    expect(seen).toEqual([0, 1, 0, 2, 3]);
    expect(events.map(({ streamversion }) => streamversion)).toEqual([2, 3, 4, 5]);
    expect(outcomes.map((outcome) => ('kind' in outcome ? outcome.kind : outcome))).toEqual(Array(4).fill('done'));
    expect(after).toEqual({ state: 5, version: 5 });
  });
});
