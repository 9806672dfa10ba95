import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Decider } from '../../contracts/decider.ts';
import type { StoredEvent } from '../../contracts/events.ts';
import { type StreamName, streamName } from '../../contracts/ids.ts';
import { metaOf, openEmbeddedLog } from '../../engine/commands/embedded-log.fixture.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import { type AdminRoles, closeAccount, grantAdmin, revokeAdmin } from './admin-roles-flow.ts';
import { ADMINS, adminsDecider } from './admins.ts';
import { userDecider } from './decide-user.ts';
import type { UserState } from './user.ts';

const PEOPLE = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
const STEPS = ['grant', 'revoke', 'close'] as const;
type Step = { readonly step: (typeof STEPS)[number]; readonly person: string; readonly copy: 0 | 1 };
/**
 * The fate of an append. An append that is cut off fails, either before or after its events are stored, and the process
 * can't tell which.
 */
type Fate = 'kept' | 'cut before' | 'cut after';

let embedded: ReturnType<typeof openEmbeddedLog>;
beforeEach(() => {
  embedded = openEmbeddedLog();
});
afterEach(() => embedded.close());

/**
 * Simulates a separate process on this log. Its read models list everyone in PEOPLE as an admin, even people who aren't
 * admins.
 */
function copyOn(log: EventLog): AdminRoles {
  return {
    handler: embedded.handler({ log }),
    readModels: { findIds: async () => PEOPLE.map((id) => ({ id, version: 1, key: '' })) },
  };
}

/**
 * Registers everyone in PEOPLE. The `admins` among them get the role but aren't listed, as in a log that is older than
 * the stream of admins.
 */
async function signInAll(log: EventLog, admins: readonly string[]): Promise<void> {
  for (const [index, person] of PEOPLE.entries()) {
    const register = { type: 'RegisterUser', userId: person, uid: `u${index}`, email: `${index}@shop.test` } as const;
    const command = { ...register, name: '', grantAdmin: admins.includes(person) };
    await copyOn(log).handler.execute(userDecider, person, command, metaOf('sign-in'));
  }
}

async function fold<State>(log: EventLog, decider: Decider<State, never>, id: string): Promise<State> {
  const events = await log.readStream(streamName(decider.kind, id), 0, 1_000);
  return events.map(embedded.sealing.openBare).reduce(decider.evolve, decider.initialState);
}
const stateOf = (log: EventLog, person: string) => fold(log, userDecider, person);
const adminsOf = (log: EventLog) => fold(log, adminsDecider, ADMINS);

/** Creates an in-memory log, because the property test needs hundreds of logs. */
function memoryLog(): EventLog {
  const streams = new Map<StreamName, readonly StoredEvent[]>();
  const eventsOf = (stream: StreamName) => streams.get(stream) ?? [];
  return {
    async append({ stream, expectedVersion, events }) {
      const before = eventsOf(stream);
      if (before.length !== expectedVersion) return { kind: 'conflict', actualVersion: before.length };
      streams.set(stream, [...before, ...events]);
      return { kind: 'appended', version: before.length + events.length };
    },
    readStream: async (stream, after, limit) => eventsOf(stream).slice(after, after + limit),
    head: async (stream) => eventsOf(stream).length,
    findByCauses: async (stream, causes) => eventsOf(stream).filter(({ cause }) => causes.includes(cause)),
    streamsOf: async () => [],
    readAll: async () => ({ events: [], position: null }),
    close: async () => {},
  };
}

let count = 0;
function take(shop: AdminRoles, { step, person }: Step) {
  count += 1;
  const meta = metaOf(`step:${count}`);
  if (step === 'grant') return grantAdmin(shop, person, meta);
  return step === 'revoke' ? revokeAdmin(shop, person, meta) : closeAccount(shop, person, { reason: 'erased' }, meta);
}

const isAdmin = (state: UserState) => state.status === 'registered' && state.admin;

/**
 * Wraps a log so that reads and appends wait for `turn`, and each append gets the next of the `fates`. After each
 * append, checks that there is an admin and that every listed grant is in force. Adds violations to `faults`.
 */
function watchLog(log: EventLog, fates: readonly Fate[], turn: () => Promise<unknown>) {
  let appends = 0;
  const faults: string[] = [];

  async function look(): Promise<void> {
    const states = await Promise.all(PEOPLE.map(async (person) => [person, await stateOf(log, person)] as const));
    if (!states.some(([, state]) => isAdmin(state))) faults.push('nobody is an admin');
    const users = new Map(states);
    for (const [person, { grant, listed }] of await adminsOf(log)) {
      const user = users.get(person);
      const inForce = user?.status === 'registered' && user.admin && user.grants === grant;
      if (listed && !inForce) faults.push(`grant ${grant} of ${person} is listed and not in force`);
    }
  }

  const watched: EventLog = {
    ...log,
    async readStream(...which) {
      await turn();
      return log.readStream(...which);
    },
    async append(commit) {
      await turn();
      const fate = fates[appends] ?? 'kept';
      appends += 1;
      if (fate === 'cut before') throw new Error('cut');
      const result = await log.append(commit);
      await look();
      if (fate === 'cut after') throw new Error('cut');
      return result;
    },
  };
  return { watched, faults };
}

describe('admin roles', () => {
  it('AUTH2 CMD2 there is always at least one admin, and only admins are listed, even if concurrent role changes are interrupted at any point', async () => {
    const steps = fc.array(
      fc.record({
        step: fc.constantFrom(...STEPS),
        person: fc.constantFrom(...PEOPLE),
        copy: fc.constantFrom(0 as const, 1 as const),
      }),
      { minLength: 2, maxLength: 8 },
    );
    const fates = fc.array(fc.constantFrom<Fate>('kept', 'kept', 'kept', 'cut before', 'cut after'), { maxLength: 12 });
    const admins = fc.subarray(PEOPLE, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), steps, fates, admins, async (scheduler, taken, cuts, first) => {
        const log = memoryLog();
        await signInAll(log, first);
        const { watched, faults } = watchLog(log, cuts, () => scheduler.schedule(Promise.resolve()));
        const copies = [copyOn(watched), copyOn(watched)] as const;
        const all = taken.map((one) => take(copies[one.copy], one));
        await scheduler.waitFor(Promise.allSettled(all));
        expect(faults).toEqual([]);
        // A repeated step is either completed or refused, even if its first run was interrupted.
        const again = copyOn(log);
        for (const one of taken) {
          const { kind } = await take(again, one);
          if (kind === 'refused') continue;
          expect(isAdmin(await stateOf(log, one.person))).toBe(one.step === 'grant');
          expect((await adminsOf(log)).get(one.person)?.listed ?? false).toBe(one.step === 'grant');
        }
      }),
      { numRuns: 120 },
    );
  }, 60_000);
});

describe('a log without the stream that lists the admins', () => {
  const [first, second] = [PEOPLE[0] as string, PEOPLE[1] as string];

  it('AUTH2 if the log has no stream of admins, the first revocation lists each admin once, even if several copies of the shop perform the revocation at the same time', async () => {
    const log = memoryLog();
    await signInAll(log, PEOPLE);
    const copies = Array.from({ length: 4 }, () => copyOn(log));
    const outcomes = await Promise.all(copies.map((copy) => revokeAdmin(copy, first, metaOf('revoke'))));
    expect(outcomes.map(({ kind }) => kind)).toEqual(copies.map(() => 'done'));
    const events = await log.readStream(streamName('admins', ADMINS), 0, 1_000);
    expect(events.map(({ type, data }) => `${type} ${data.person}`).sort()).toEqual(
      [`AdminDelisted ${first}`, ...PEOPLE.map((person) => `AdminListed ${person}`)].sort(),
    );
    expect(isAdmin(await stateOf(log, first))).toBe(false);
  });

  it("AUTH2 the last admin can't be revoked or erased, even if the log has no stream of admins", async () => {
    const log = memoryLog();
    await signInAll(log, [first]);
    const refused = { kind: 'refused', refusal: { code: 'last_admin' } };
    expect(await revokeAdmin(copyOn(log), first, metaOf('revoke'))).toEqual(refused);
    expect(await closeAccount(copyOn(log), first, { reason: 'erased' }, metaOf('erase'))).toEqual(refused);
    // A person who isn't an admin doesn't count as one, even if the read models list them as an admin.
    expect(await revokeAdmin(copyOn(log), second, metaOf('revoke'))).toMatchObject({ kind: 'done', events: [] });
    expect(isAdmin(await stateOf(log, first))).toBe(true);
  });
});

describe("the time between a revocation's two appends", () => {
  const [first, second] = [PEOPLE[0] as string, PEOPLE[1] as string];

  /** Wraps a log so that `doing` runs once, before the first append to `stream`. */
  function beforeAppend(log: EventLog, stream: StreamName, doing: () => Promise<unknown>): EventLog {
    let done = false;
    return {
      ...log,
      async append(commit) {
        if (commit.stream === stream && !done) {
          done = true;
          await doing();
        }
        return log.append(commit);
      },
    };
  }

  it("AUTH2 CMD2 a revocation also revokes a grant made between the revocation's two appends", async () => {
    const log = memoryLog();
    await signInAll(log, [first, second]);
    const late = beforeAppend(log, streamName('user', first), () => grantAdmin(copyOn(log), first, metaOf('grant')));
    expect(await revokeAdmin(copyOn(late), first, metaOf('revoke'))).toMatchObject({ kind: 'done' });
    expect(await stateOf(log, first)).toMatchObject({ admin: false, grants: 2 });
    expect([...(await adminsOf(log))].filter(([, { listed }]) => listed).map(([person]) => person)).toEqual([second]);
  });

  it("AUTH2 an admin whose revocation was interrupted doesn't count as a remaining admin, and repeating the revocation completes it", async () => {
    const log = memoryLog();
    await signInAll(log, [first, second]);
    const cut = beforeAppend(log, streamName('user', first), () => Promise.reject(new Error('cut')));
    await expect(revokeAdmin(copyOn(cut), first, metaOf('revoke'))).rejects.toThrow('cut');
    expect(isAdmin(await stateOf(log, first))).toBe(true);
    expect(await revokeAdmin(copyOn(log), second, metaOf('revoke'))).toMatchObject({ kind: 'refused' });
    expect(await revokeAdmin(copyOn(log), first, metaOf('revoke'))).toMatchObject({ kind: 'done' });
    expect(isAdmin(await stateOf(log, first))).toBe(false);
  });
});
