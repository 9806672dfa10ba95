import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openShopDatabase } from '../../embedded/sqlite/sqlite-database.ts';
import { createSqliteEventLog } from '../../embedded/sqlite/sqlite-event-log.ts';
import { createSqliteKeyVault } from '../../embedded/sqlite/sqlite-key-vault.ts';
import { createLogger } from '../../runtime/log.ts';
import { readWhole } from './event-log.contract.ts';
import type { EventLog } from './event-log.ts';
import type { KeyVault } from './key-vault.ts';
import { checkArchive, InvalidArchive, LogNotEmpty, readArchive, writeArchive } from './log-archive.ts';
import { freshId, freshStream, sampleCommit } from './sample-events.fixture.ts';

const silent = createLogger('silent');
const SECRETS = { userId: 'u'.repeat(64), idempotency: 'i'.repeat(64) };

interface Shop {
  readonly log: EventLog;
  readonly vault: KeyVault;
}

let folder: string;
let closing: (() => Promise<void>)[];
let old: Shop;
let fresh: Shop;
let persons: string[];

function openShop(name: string): Shop {
  const database = openShopDatabase(join(folder, `${name}.sqlite`));
  const log = createSqliteEventLog({ database });
  const vault = createSqliteKeyVault({ file: join(folder, `${name}-keys.sqlite`) });
  closing.push(async () => {
    await log.close();
    await vault.close();
    database.close();
  });
  return { log, vault };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'log-archive-'));
  closing = [];
  old = openShop('old');
  fresh = openShop('fresh');
  const streams = Array.from({ length: 100 }, freshStream);
  for (const version of [0, 3]) {
    await Promise.all(streams.map((stream) => old.log.append(sampleCommit(stream, version, 3))));
  }
  persons = Array.from({ length: 3 }, freshId).sort();
  for (const person of persons) await old.vault.obtain(person);
  await old.vault.erase(persons[1] ?? '');
});

afterEach(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

async function archived(): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of writeArchive(old, SECRETS)) lines.push(line);
  return lines;
}

async function* over(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

describe('log archive', () => {
  it('LOG2 LOG3 an archive contains every event with its version, every encryption key and every erasure', async () => {
    const lines = await archived();
    expect(await checkArchive(over(lines), silent)).toEqual({ secrets: SECRETS, keys: 3, events: 600 });
    await readArchive(over(lines), fresh);
    expect((await readWhole(fresh.log)).sort(byId)).toEqual((await readWhole(old.log)).sort(byId));
    expect(await fresh.vault.list(null, 10)).toEqual(await old.vault.list(null, 10));
    expect(await fresh.vault.obtain(persons[1] ?? '')).toBeNull();
  });

  it('LOG2 an interrupted import of an archive can be repeated without duplicating any event', async () => {
    const lines = await archived();
    await readArchive(over(lines.slice(0, 250)), fresh);
    await readArchive(over(lines), fresh);
    await readArchive(over(lines), fresh);
    expect((await readWhole(fresh.log)).sort(byId)).toEqual((await readWhole(old.log)).sort(byId));
  });

  it('LOG2 an archive is not imported into a log that contains other events', async () => {
    const lines = await archived();
    const [taken] = (await old.log.readAll(null, 1)).events;
    if (!taken) throw new Error('The old log is empty.');
    await fresh.log.append(sampleCommit(taken.subject, 0));
    await expect(readArchive(over(lines), fresh)).rejects.toThrow(LogNotEmpty);
  });

  it('LOG4 the archive check rejects an unreadable event, and the error names the event', async () => {
    const bad = sampleCommit(freshStream(), 0, 1, { data: { intent: 'pi_1', attempt: 1, amount: 0 } });
    await old.log.append(bad);
    const lines = await archived();
    await expect(checkArchive(over(lines), silent)).rejects.toThrow(InvalidArchive);
    await expect(checkArchive(over(lines), silent)).rejects.toThrow(
      new RegExp(`^Line ${lines.length - 1}: Event 1 of ${bad.stream} \\(PaymentStarted\\) is not readable`),
    );
  });

  it('the archive check rejects missing, changed and added lines, and the error says what is wrong', async () => {
    const lines = await archived();
    const refused = async (changed: readonly string[]) => {
      await expect(checkArchive(over(changed), silent)).rejects.toThrow(InvalidArchive);
      return checkArchive(over(changed), silent).catch((error: Error) => error.message);
    };
    expect(await refused(lines.slice(0, -1))).toBe(`The archive is cut off after line ${lines.length - 1}.`);
    expect(await refused(lines.slice(1))).toBe('Line 1 is not the head of an archive.');
    expect(await refused([])).toBe('The archive is cut off after line 0.');
    expect(await refused([...lines, lines[1] ?? ''])).toBe(`Line ${lines.length + 1}: something follows the end.`);
    expect(await refused([...lines.slice(0, 4), '{"event": 1}', ...lines.slice(5)])).toBe(
      'Line 5 is no line of an archive.',
    );
    expect(await refused([...lines.slice(0, 4), '{', ...lines.slice(5)])).toBe('Line 5 is not JSON.');
    expect(await refused(lines.filter((_, index) => index !== 2))).toMatch(
      /should hold 3 keys and 600 events; it holds 2/,
    );
    expect(await refused(lines.filter((_, index) => index !== 8))).toMatch(
      /version \d of order-\w+ is out of its order/,
    );
  });
});
