import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  ERASED,
  type EventType,
  eventDataSchemas,
  type RecordedEvent,
  type Sealed,
  type StoredEvent,
  sealedSchema,
  storedEventSchema,
} from '../../contracts/events.ts';
import { personStream } from '../../contracts/ids.ts';
import { newestVersion, SCHEMAS, type Schemas, UnreadableEvent, upcast } from '../../contracts/upcast.ts';
import type { Logger } from '../../runtime/log.ts';
import { createLruCache } from '../../runtime/lru-cache.ts';
import type { EventLog } from './event-log.ts';
import { KeyMissing, type KeyVault } from './key-vault.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const KEYS_CACHED = 10_000;
/**
 * How long a key is cached, in ms. After an erasure in another process, this process may use the cached key for at most
 * this long.
 */
const KEY_CACHE_MS = 60_000;

type Data = Record<string, unknown>;

/**
 * Converts events between their plain form (in domain code) and their sealed form (in the log and the feed). No other
 * code seals or opens events (LOG3).
 */
export interface Sealing {
  /**
   * Seals events at the newest schema version (LOG5). Creates a missing key in two cases: for the first event of a
   * person's own stream, and for a person who has no stream of their own. @throws KeyMissing if any other event needs a
   * key that isn't in the vault
   */
  sealAll(events: readonly RecordedEvent[]): Promise<StoredEvent[]>;
  /**
   * Opens sealed events and returns them at the newest schema version. Personal fields that can't be opened with any
   * stored key are returned as ERASED (LOG5). @throws UnreadableEvent
   */
  openAll(events: readonly StoredEvent[]): Promise<RecordedEvent[]>;
  /**
   * Returns the event with all personal fields set to ERASED. This needs no key and is much faster than openAll().
   * @throws UnreadableEvent
   */
  openBare(event: StoredEvent): RecordedEvent;
  erase(person: string): Promise<void>;
}

export interface SealingOptions {
  readonly vault: KeyVault;
  readonly log: Pick<EventLog, 'head'>;
  /** receives one warning for each person whose data can't be opened */
  readonly logger: Pick<Logger, 'warn'>;
  readonly schemas?: Schemas;
  /** generates nonces, which must never repeat */
  readonly random?: ((bytes: number) => Buffer) | undefined;
  /** the clock by which cached keys expire, in ms */
  readonly now?: (() => number) | undefined;
}

export function createSealing(options: SealingOptions): Sealing {
  const { vault, log, logger, schemas = SCHEMAS, random = randomBytes } = options;
  const keys = createKeyCache(vault, options.now);
  const opening = createOpening({ vault: keys, logger, schemas });

  async function keyToSeal({ subject, streamversion }: RecordedEvent, person: string): Promise<Buffer | null> {
    const own = personStream(person);
    if (subject === own && streamversion === 1) return keys.obtain(person);
    const key = await keys.find(person);
    if (key !== undefined) return key;
    // People who never signed in have no stream of their own.
    if ((await log.head(own)) > 0) throw new KeyMissing(person);
    return keys.obtain(person);
  }

  async function seal(event: RecordedEvent): Promise<StoredEvent> {
    const stored: StoredEvent = { ...event, schemaversion: newestVersion(schemas, event.type) };
    const { data } = event;
    if (!('personal' in data)) return stored;
    const key = await keyToSeal(event, data.person);
    return { ...stored, data: { ...data, personal: sealPersonal(stored, data.person, data.personal, key, random) } };
  }

  return {
    ...opening,
    sealAll: (events) => Promise.all(events.map(seal)),
    erase: (person) => keys.erase(person),
  };
}

export function createOpening({
  vault,
  logger,
  schemas = SCHEMAS,
}: Pick<SealingOptions, 'logger' | 'schemas'> & { readonly vault: Pick<KeyVault, 'find'> }): Pick<
  Sealing,
  'openAll' | 'openBare'
> {
  const warn = createWarnOnce(logger);

  const read = (event: StoredEvent, data: Data) => parsePlain(upcast({ ...event, data }, schemas));

  async function open(event: StoredEvent): Promise<RecordedEvent> {
    const stored = parseStored(event);
    const { data } = stored;
    return read(stored, 'personal' in data ? await openPersonal(stored, vault, warn) : data);
  }

  return {
    openBare(event) {
      const stored = parseStored(event);
      const { data } = stored;
      return read(stored, 'personal' in data ? withoutPersonal(stored, parseSealed(stored)) : data);
    },
    openAll: (events) => Promise.all(events.map(open)),
  };
}

function parseStored(event: StoredEvent): StoredEvent {
  const stored = storedEventSchema.safeParse(event);
  if (!stored.success) throw new UnreadableEvent(event, 'its attributes are not valid.', { cause: stored.error });
  return stored.data;
}

/** Returns the cipher's associated data, which ties a box (encrypted personal data) to its event, person and field names. */
function boundTo(event: StoredEvent, person: string, fields: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([event.id, event.subject, person, fields]));
}

/** Encrypts personal data into a box. If the person was erased, `key` is null and the box is empty. */
function sealPersonal(
  event: StoredEvent,
  person: string,
  personal: Data,
  key: Buffer | null,
  random: (bytes: number) => Buffer,
): Sealed {
  // Undefined fields are left out of `fields`. Otherwise, they would read as ERASED once the key is gone.
  const fields = Object.keys(personal).filter((field) => personal[field] !== undefined);
  if (!key) return { fields, box: '' };
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(boundTo(event, person, fields));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(personal), 'utf8'), cipher.final()]);
  return { fields, box: Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64') };
}

const sealedDataSchema = z.looseObject({ person: z.string(), personal: sealedSchema });

function parseSealed(event: StoredEvent): z.infer<typeof sealedDataSchema> {
  const sealed = sealedDataSchema.safeParse(event.data);
  if (!sealed.success) throw new UnreadableEvent(event, 'its personal data is not sealed.', { cause: sealed.error });
  return sealed.data;
}

function withoutPersonal(event: StoredEvent, { personal }: { readonly personal: Sealed }): Data {
  return { ...event.data, personal: Object.fromEntries(personal.fields.map((field) => [field, ERASED])) };
}

async function openPersonal(event: StoredEvent, keys: Pick<KeyVault, 'find'>, warn: WarnOnce): Promise<Data> {
  const { person, personal } = parseSealed(event);
  const erased = withoutPersonal(event, { personal });
  const key = personal.box === '' ? null : await keys.find(person);
  if (key === null) return erased;
  try {
    if (key === undefined) throw new KeyMissing(person);
    return { ...event.data, personal: unbox(event, person, personal, key) };
  } catch (error) {
    const { id, subject: stream } = event;
    warn(person, { err: error, person, event: id, stream }, "no stored key opens a person's data: it reads as erased");
    return erased;
  }
}

function unbox(event: StoredEvent, person: string, { fields, box }: Sealed, key: Buffer): Data {
  const bytes = Buffer.from(box, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  // Without `authTagLength`, Node also accepts shorter tags, and a short tag can be guessed.
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(event, person, fields));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  return JSON.parse(plain) as Data;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventDataSchemas, type);
}

function parsePlain(event: StoredEvent): RecordedEvent {
  if (!isEventType(event.type)) throw new UnreadableEvent(event, 'its type is not known.');
  const data = eventDataSchemas[event.type].safeParse(event.data);
  if (!data.success) throw new UnreadableEvent(event, 'its data does not fit its type.', { cause: data.error });
  return { ...event, data: data.data } as RecordedEvent;
}

type KeyCache = Pick<KeyVault, 'obtain' | 'find' | 'erase'>;
type MaybeKey = Buffer | null | undefined;

/**
 * Caches a promise for each key, so that erase() can also discard a key that is still being fetched. Missing and erased
 * keys aren't cached.
 */
function createKeyCache(vault: KeyVault, now?: () => number): KeyCache {
  // By default, the cache reads the clock at most once per millisecond, and measures that millisecond with a real
  // timer. With `ttlResolution: 0`, the cache reads the clock on every access.
  const clock = now && { perf: { now }, ttlResolution: 0 };
  const cache = createLruCache<string, Promise<MaybeKey>>(KEYS_CACHED, { ttl: KEY_CACHE_MS, ...clock });

  function remember<K extends MaybeKey>(person: string, asked: Promise<K>): Promise<K> {
    const forget = () => {
      if (cache.peek(person) === asked) cache.delete(person);
    };
    cache.set(person, asked);
    asked.then((key) => key ?? forget(), forget);
    return asked;
  }

  return {
    find: (person) => cache.get(person) ?? remember(person, vault.find(person)),
    obtain: async (person) => (await cache.get(person)) ?? remember(person, vault.obtain(person)),
    async erase(person) {
      await vault.erase(person);
      cache.delete(person);
    },
  };
}

const WARNINGS_REMEMBERED = 10_000;

/** Logs at most one warning per `key`, because the same events are read many times. */
type WarnOnce = (key: string, about: object, message: string) => void;

function createWarnOnce(logger: Pick<Logger, 'warn'>): WarnOnce {
  const said = createLruCache<string, true>(WARNINGS_REMEMBERED);
  return (key, about, message) => {
    if (said.has(key)) return;
    said.set(key, true);
    logger.warn(about, message);
  };
}
