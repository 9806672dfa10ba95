import { z } from 'zod';
import { type StoredEvent, storedEventSchema } from '../../contracts/events.ts';
import { UnreadableEvent } from '../../contracts/upcast.ts';
import type { Logger } from '../../runtime/log.ts';
import { parseJson } from '../../runtime/parse-json.ts';
import { ReadableError } from '../../runtime/readable-error.ts';
import { type EventLog, pagesOf } from './event-log.ts';
import type { KeyVault } from './key-vault.ts';
import { createOpening, type Sealing } from './sealing.ts';

const PAGE = 1_000;

/** The secrets from which user ids, tracking links and the ids of idempotent requests are derived. */
export const archivedSecretsSchema = z.object({ userId: z.string().min(32), idempotency: z.string().min(32) });
export type ArchivedSecrets = z.infer<typeof archivedSecretsSchema>;

/**
 * One line of an archive. An archive consists of a header, all keys, all events (in order within each stream) and the
 * counts of keys and events. Anyone who has an archive can read everything in it, because it includes the keys.
 */
const lineSchema = z.union([
  z.strictObject({
    format: z.literal('micro-center-log'),
    formatVersion: z.literal(1),
    secrets: archivedSecretsSchema,
  }),
  z.strictObject({ person: z.string().min(1), key: z.base64().nullable() }),
  z.strictObject({ event: storedEventSchema }),
  z.strictObject({ end: z.strictObject({ keys: z.number().int(), events: z.number().int() }) }),
]);

export class InvalidArchive extends ReadableError {
  override readonly name = 'InvalidArchive';
}

export class LogNotEmpty extends ReadableError {
  override readonly name = 'LogNotEmpty';
}

export interface ArchiveCounts {
  readonly keys: number;
  readonly events: number;
}

interface LogAndKeys {
  readonly log: EventLog;
  readonly vault: KeyVault;
}

/** Yields the lines of an archive. Nothing may append to the log while this runs. */
export async function* writeArchive({ log, vault }: LogAndKeys, secrets: ArchivedSecrets): AsyncGenerator<string> {
  yield JSON.stringify({ format: 'micro-center-log', formatVersion: 1, secrets });
  let [keys, events] = [0, 0];
  for (let page = await vault.list(null, PAGE); page.length > 0; ) {
    for (const { person, key } of page) yield JSON.stringify({ person, key: key?.toString('base64') ?? null });
    keys += page.length;
    page = await vault.list(page.at(-1)?.person ?? null, PAGE);
  }
  for await (const page of pagesOf(log, PAGE)) {
    for (const event of page) yield JSON.stringify({ event });
    events += page.length;
  }
  yield JSON.stringify({ end: { keys, events } });
}

/**
 * Checks every line of an archive, including whether every event can be opened (LOG4).
 * @throws InvalidArchive
 */
export async function checkArchive(
  lines: AsyncIterable<string>,
  logger: Pick<Logger, 'warn'>,
): Promise<ArchiveCounts & { secrets: ArchivedSecrets }> {
  const found = new Map<string, Buffer | null>();
  const opening = createOpening({ vault: { find: async (person) => found.get(person) }, logger });
  const heads = new Map<string, number>();
  let secrets: ArchivedSecrets | null = null;
  let ended: ArchiveCounts | null = null;
  let [keys, events, number] = [0, 0, 0];
  for await (const line of lines) {
    number += 1;
    const parsed = parseLine(line, number);
    if (ended) throw new InvalidArchive(`Line ${number}: something follows the end.`);
    if ('format' in parsed) {
      if (number !== 1) throw new InvalidArchive(`Line ${number}: a second head.`);
      secrets = parsed.secrets;
    } else if (secrets === null) throw new InvalidArchive('Line 1 is not the head of an archive.');
    else if ('end' in parsed) ended = parsed.end;
    else if ('event' in parsed) {
      assertNext(heads, parsed.event, number);
      await assertReadable(opening, parsed.event, number);
      events += 1;
    } else {
      found.set(parsed.person, parsed.key === null ? null : Buffer.from(parsed.key, 'base64'));
      keys += 1;
    }
  }
  if (!secrets || !ended) throw new InvalidArchive(`The archive is cut off after line ${number}.`);
  if (ended.keys !== keys || ended.events !== events) {
    throw new InvalidArchive(
      `The archive should hold ${ended.keys} keys and ${ended.events} events; it holds ${keys} and ${events}.`,
    );
  }
  return { secrets, keys, events };
}

function parseLine(line: string, number: number): z.infer<typeof lineSchema> {
  const json = parseJson(line);
  if (json === undefined) throw new InvalidArchive(`Line ${number} is not JSON.`);
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success) throw new InvalidArchive(`Line ${number} is no line of an archive.`);
  return parsed.data;
}

function assertNext(heads: Map<string, number>, { subject, streamversion }: StoredEvent, number: number): void {
  if (streamversion !== (heads.get(subject) ?? 0) + 1) {
    throw new InvalidArchive(`Line ${number}: version ${streamversion} of ${subject} is out of its order.`);
  }
  heads.set(subject, streamversion);
}

async function assertReadable(opening: Pick<Sealing, 'openAll'>, event: StoredEvent, number: number): Promise<void> {
  try {
    await opening.openAll([event]);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    throw new InvalidArchive(`Line ${number}: ${error.message}`, { cause: error });
  }
}

/** The maximum number of appends in flight, each to a different stream. */
const MAX_IN_FLIGHT = 64;

/**
 * Imports a checked archive. Importing the same archive again is safe.
 * @throws LogNotEmpty if the log already has different events in one of the archive's streams, or OtherKeyKept if the
 * vault already has a different key for one of the archive's people
 */
export async function readArchive(lines: AsyncIterable<string>, target: LogAndKeys): Promise<void> {
  const streams = new Map<string, Promise<void>>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const parsed = parseLine(line, number);
    if ('person' in parsed) {
      const { person, key } = parsed;
      await target.vault.restore({ person, key: key === null ? null : Buffer.from(key, 'base64') });
    } else if ('event' in parsed) {
      const { event } = parsed;
      const before = streams.get(event.subject) ?? Promise.resolve();
      const appended = before.then(() => appendOne(target.log, event));
      // The promise is awaited below. If it's rejected before then, this handler prevents an unhandled rejection.
      appended.catch(() => undefined);
      streams.set(event.subject, appended);
      if (streams.size >= MAX_IN_FLIGHT) {
        await Promise.all(streams.values());
        streams.clear();
      }
    }
  }
  await Promise.all(streams.values());
}

/** Appends an event as its own commit. The commit's id is the event's id, so that the log recognises a repeated import. */
async function appendOne(log: EventLog, event: StoredEvent): Promise<void> {
  const { id, subject: stream, streamversion } = event;
  const result = await log.append({ id, stream, expectedVersion: streamversion - 1, events: [event] });
  if (result.kind === 'conflict') {
    throw new LogNotEmpty(`${stream} already holds other events (version ${result.actualVersion}).`);
  }
}
