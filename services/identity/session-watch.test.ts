import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../runtime/log.ts';
import { IdentityUnavailable } from './identity-provider.ts';
import { createPeople } from './people.fixture.ts';
import { createSessionWatch } from './session-watch.ts';

const BEGIN = 1_800_000_000_000;
const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

function watch() {
  let now = BEGIN;
  const people = createPeople();
  const lines: string[] = [];
  const asked: (readonly string[])[] = [];
  const { accounts } = people.identity;
  people.identity.accounts = async (uids) => {
    asked.push(uids);
    return accounts(uids);
  };
  const sessions = createSessionWatch({
    identity: people.identity,
    clock: () => now,
    logger: createLogger('info', { write: (line: string) => void lines.push(line) }),
  });
  people.put('mina', 'mina@shop.test');
  return {
    people,
    lines,
    asked,
    mina: () => sessions.isActive({ uid: 'mina', signedInAt: BEGIN }),
    isActive: sessions.isActive,
    advance(milliseconds: number) {
      now += milliseconds;
    },
    now: () => now,
  };
}

describe('session watch', () => {
  it.each<[string, (test: ReturnType<typeof watch>) => void]>([
    ['is deleted', ({ people }) => people.accounts.delete('mina')],
    ['is disabled', ({ people }) => people.put('mina', 'mina@shop.test', { disabled: true })],
    [
      'is signed out everywhere, or gets a new password',
      ({ people, now }) => people.put('mina', 'mina@shop.test', { sessionsValidFrom: now() + 1000 }),
    ],
  ])('AUTH6 a session ends within a minute once its account %s', async (_case, change) => {
    const test = watch();
    expect(await test.mina()).toBe(true);
    change(test);
    test.advance(MINUTE);
    expect(await test.mina()).toBe(false);
    expect(await test.mina()).toBe(false);
  });

  it('AUTH6 even a session in constant use ends within a minute of its account being deleted', async () => {
    const test = watch();
    expect(await test.mina()).toBe(true);
    test.people.accounts.delete('mina');
    let ended = 0;
    for (let second = 1; second <= 60 && ended === 0; second += 1) {
      test.advance(1000);
      if (!(await test.mina())) ended = second;
    }
    expect(ended).toBeGreaterThan(0);
  });

  it('AUTH6 a session that began after the earlier sessions were ended is active', async () => {
    const test = watch();
    test.people.put('mina', 'mina@shop.test', { sessionsValidFrom: BEGIN + 5000 });
    expect(await test.mina()).toBe(false);
    expect(await test.isActive({ uid: 'mina', signedInAt: BEGIN + 5000 })).toBe(true);
  });

  it('AUTH6 sessions are checked with one call to the identity provider per batch of accounts instead of one call per request', async () => {
    const test = watch();
    const uids = Array.from({ length: 250 }, (_, index) => `uid-${index}`);
    for (const uid of uids) test.people.put(uid, `${uid}@shop.test`);
    const everybody = () =>
      Promise.all([...uids, ...uids, ...uids].map((uid) => test.isActive({ uid, signedInAt: BEGIN })));
    expect(new Set(await everybody())).toEqual(new Set([true]));
    expect(test.asked.length).toBeLessThanOrEqual(4);
    expect(Math.max(...test.asked.map(({ length }) => length))).toBeLessThanOrEqual(100);
    const before = test.asked.length;
    for (let call = 0; call < 100; call += 1) await everybody();
    expect(test.asked.length).toBe(before);
  });

  it('AUTH6 while the identity provider is down, active sessions stay active, ended sessions stay ended, and one warning is logged', async () => {
    const test = watch();
    test.people.put('leaver', 'leaver@shop.test', { disabled: true });
    const leaver = () => test.isActive({ uid: 'leaver', signedInAt: BEGIN });
    expect([await test.mina(), await leaver()]).toEqual([true, false]);
    const { accounts } = test.people.identity;
    test.people.identity.accounts = () => Promise.reject(new IdentityUnavailable());
    for (let minute = 0; minute < 5; minute += 1) {
      test.advance(MINUTE);
      const newcomer = test.isActive({ uid: `new-${minute}`, signedInAt: BEGIN });
      expect([await test.mina(), await leaver(), await newcomer]).toEqual([true, false, true]);
    }
    expect(test.lines.filter((line) => line.includes('access tokens stay valid until they expire'))).toHaveLength(1);
    test.people.identity.accounts = accounts;
    test.people.accounts.delete('mina');
    test.advance(MINUTE);
    expect(await test.mina()).toBe(false);
    expect(test.lines.filter((line) => line.includes('answers again'))).toHaveLength(1);
  });

  it('AUTH6 each outage of the identity provider and each recovery is logged once', async () => {
    const test = watch();
    const { accounts } = test.people.identity;
    for (let time = 0; time < 2; time += 1) {
      test.people.identity.accounts = () => Promise.reject(new IdentityUnavailable());
      test.advance(MINUTE);
      expect(await test.mina()).toBe(true);
      test.people.identity.accounts = accounts;
      for (let minute = 0; minute < 2; minute += 1) {
        test.advance(MINUTE);
        expect(await test.mina()).toBe(true);
      }
    }
    const told = (words: string) => test.lines.filter((line) => line.includes(words)).length;
    expect([told('access tokens stay valid until they expire'), told('answers again')]).toEqual([2, 2]);
  });

  it('AUTH6 an identity provider that hangs delays only one request, and by at most two seconds', async () => {
    vi.useFakeTimers();
    const test = watch();
    let calls = 0;
    test.people.identity.accounts = () => {
      calls += 1;
      return new Promise(() => {});
    };
    const first = test.mina();
    await vi.advanceTimersByTimeAsync(2000);
    expect(await first).toBe(true);
    expect(await test.mina()).toBe(true);
    expect(await test.isActive({ uid: 'other', signedInAt: BEGIN })).toBe(true);
    expect(calls).toBe(1);
  });
});
