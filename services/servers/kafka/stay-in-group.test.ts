import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HeldTime, holdTime } from '../../runtime/held-time.fixture.ts';
import type { GroupMember } from './kafka-cluster.ts';
import { type MembershipSigns, stayInGroup } from './stay-in-group.ts';

describe('staying in a consumer group', () => {
  let time: HeldTime;
  let signs: MembershipSigns[];
  let left: number[];
  let errors: string[];
  let refused: boolean;
  let leave: () => Promise<void>;
  let member: GroupMember;

  beforeEach(() => {
    time = holdTime();
    signs = [];
    left = [];
    errors = [];
    refused = false;
    leave = async () => {};
    member = stayInGroup({
      async join(given) {
        if (refused) throw new Error('no broker');
        const number = signs.push(given);
        return {
          async leave() {
            left.push(number);
            await leave();
          },
        };
      },
      onError: (error) => errors.push((error as Error).message),
      now: time.now,
      schedule: time.schedule,
      silentFor: 60_000,
    });
  });
  afterEach(() => member.stop());

  /** Advances time while the newest membership keeps reporting that it is alive. */
  async function live(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 10_000) {
      signs.at(-1)?.alive();
      await time.pass(10_000);
    }
  }

  it('FEED2 a consumer stays in its group as long as its membership shows signs of life', async () => {
    await time.settle();
    signs[0]?.joined();
    await member.joined;
    await live(600_000);
    expect(signs).toHaveLength(1);
    expect(left).toEqual([]);
  });

  it('FEED2 a consumer rejoins after its group membership has ended, and the reason is reported', async () => {
    await time.settle();
    signs[0]?.joined();
    signs[0]?.ended(new Error('crashed'));
    await time.settle();
    // Only the back-off timer is left. The timer that watched the membership has been cancelled.
    expect(time.delays()).toHaveLength(1);
    await time.pass(200);
    expect(errors).toEqual(['crashed']);
    expect(left).toEqual([1]);
    expect(signs).toHaveLength(2);
  });

  it('FEED2 a consumer rejoins after its group membership has gone silent, even if leave() hangs', async () => {
    leave = () => new Promise(() => {});
    await time.settle();
    signs[0]?.joined();
    await live(100_000);
    await time.pass(90_000);
    expect(errors).toEqual(['The consumer gave no sign for 60000 ms.']);
    expect(signs).toHaveLength(2);
    leave = async () => {};
  });

  it('FEED2 the back-off delay before a rejoin grows with each consecutive failure, and is reset once the group has been joined', async () => {
    refused = true;
    await member.stop();
    const waits: number[] = [];
    member = stayInGroup({
      join: async (given) => {
        if (refused) throw new Error('no broker');
        signs.push(given);
        return { leave };
      },
      onError: () => {},
      now: time.now,
      schedule: time.schedule,
      silentFor: 60_000,
      backOff(failures) {
        waits.push(failures);
        return 100;
      },
    });
    await time.pass(250);
    refused = false;
    await time.pass(100);
    signs.at(-1)?.joined();
    signs.at(-1)?.ended(new Error('crashed'));
    await time.pass(0);
    expect(waits).toEqual([1, 2, 3, 1]);
  });

  it('stop() leaves the group, and the consumer does not rejoin', async () => {
    await time.settle();
    await member.stop();
    await time.pass(600_000);
    expect(left).toEqual([1]);
    expect(signs).toHaveLength(1);
    await expect(member.joined).rejects.toThrow('The group was left before it was joined.');
  });

  it('stop() cuts short the back-off delay before a rejoin', async () => {
    await time.settle();
    signs[0]?.ended(new Error('crashed'));
    await time.settle();
    await member.stop();
    expect(time.delays()).toEqual([]);
  });
});
