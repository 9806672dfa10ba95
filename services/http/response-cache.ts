import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Query } from '../contracts/document-queries.ts';
import type { Documents } from '../contracts/documents.ts';
import type { DocumentKind } from '../contracts/ids.ts';
import type { PageRequest, ReadModels } from '../engine/read-models/read-models.ts';
import { type Batched, batchRequests } from '../runtime/batch-requests.ts';
import { nextPage } from './answers.ts';
import { compress, ENCODINGS, type Encoding } from './compress.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Answer } from './route.ts';
import { takeTurn } from './take-turn.ts';

/** The maximum total size of a shop's cached responses, in bytes. */
const MOST_CACHED = 32_000_000;
/**
 * The estimated memory overhead of a cached response, in bytes. If this overhead weren't counted, the cache could hold
 * too many small responses.
 */
const BESIDE = 1_000;
/**
 * The maximum number of batches of waiting requests, with one batch per cache key. If a batch is evicted, two requests
 * may build the same response at the same time.
 */
const MOST_BATCHES = 1_000;
/** Responses smaller than this, in bytes, are sent uncompressed. */
const WORTH_COMPRESSING = 1_024;

const JSON_TYPE = 'application/json; charset=utf-8';

/** A response that is built once and reused for many requests, such as a page of a list or a page of the web client. */
export class CachedResponse {
  readonly version: string;
  /** the estimated maximum memory use of the response, in bytes, including a compressed copy in each encoding */
  readonly size: number;
  readonly etag: string;
  /** the cursor of the list's next page, or null on the last page */
  readonly next: string | null;
  readonly #type: string;
  readonly #bytes: Buffer;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(
    text: string,
    version: string,
    { type = JSON_TYPE, next = null }: { readonly type?: string; readonly next?: string | null } = {},
  ) {
    this.version = version;
    this.next = next;
    this.#type = type;
    this.#bytes = Buffer.from(text);
    // The ETag is weak, since it is the same for all encodings.
    this.etag = `W/"${createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 27)}"`;
    this.size = BESIDE + this.#bytes.length * (1 + ENCODINGS);
  }

  /** Sends the response, or a 304 if the client already has it. */
  async send(response: Response): Promise<void> {
    response.set('ETag', this.etag).vary('Accept-Encoding');
    if (response.req.fresh) return void response.status(304).end();
    const encoding = this.#bytes.length < WORTH_COMPRESSING ? null : encodingFor(response);
    const bytes = encoding ? await this.#encode(encoding) : this.#bytes;
    if (encoding) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', this.#type);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }

  text(): string {
    return this.#bytes.toString();
  }

  #encode(encoding: Encoding): Promise<Buffer> {
    const bytes = this.#encoded.get(encoding) ?? compress(this.#bytes, encoding);
    this.#encoded.set(encoding, bytes);
    return bytes;
  }
}

function encodingFor({ req }: Response): Encoding | null {
  if (req.headers['accept-encoding'] === undefined) return null;
  const [accepted] = [req.acceptsEncodings('br', 'gzip', 'identity')].flat();
  return accepted === 'br' || accepted === 'gzip' ? accepted : null;
}

/** Creates a cache that holds at most `maxSize` bytes of responses and evicts the least recently used first. */
export function pagesWithin(maxSize: number): LRUCache<string, CachedResponse> {
  return new LRUCache({ maxSize, sizeCalculation: ({ size }: CachedResponse) => size });
}

/**
 * A batch of requests with the same cache key. They all get the same response, which is either cached or newly built.
 */
type Batch = Batched<() => Promise<CachedResponse | null>, CachedResponse | null>;

const createCache = () => ({
  responses: pagesWithin(MOST_CACHED),
  batches: new LRUCache<string, Batch>({ max: MOST_BATCHES }),
});
const caches = new WeakMap<ReadModels, ReturnType<typeof createCache>>();

interface Cacheable<Made extends CachedResponse | null> {
  /**
   * Identifies the response. Requests with the same key share a response. A list's key is its query. If a request has
   * already read documents, as a prerendered page has, their versions are part of its key.
   */
  readonly key: string;
  /** the version that the response would have if it were built now */
  readonly version: () => Promise<string>;
  /** Builds the response. The response's data may be newer than its version, but not older. A null result isn't cached. */
  readonly make: () => Promise<Made>;
}

/**
 * Returns the cached response if its version is still the store's current version. Otherwise waits for a turn
 * (take-turn.ts), builds the response and caches it. A request that arrives during a build waits for the build to
 * finish and then checks the version again, so that it never gets data read before its arrival (READ1).
 */
export async function throughCache<Made extends CachedResponse | null>(
  readModels: ReadModels,
  { key, version, make }: Cacheable<Made>,
): Promise<CachedResponse | Made> {
  const cache = caches.get(readModels) ?? createCache();
  caches.set(readModels, cache);
  const { responses, batches } = cache;

  async function findCurrent(): Promise<CachedResponse | null> {
    const cached = responses.get(key);
    return cached && cached.version === (await version()) ? cached : null;
  }
  async function findOrMake(): Promise<CachedResponse | Made> {
    await takeTurn();
    const current = await findCurrent();
    if (current) return current;
    const made = await make();
    if (made) responses.set(key, made);
    return made;
  }

  const current = await findCurrent();
  if (current) return current;
  const batch = batches.get(key) ?? batchRequests({ send: sendFirst, maxBatchSize: Infinity, maxInFlight: 1 });
  batches.set(key, batch);
  return (await batch(findOrMake)) as CachedResponse | Made;
}

/** All requests in a batch have the same key and get the same response, so only the first request's function is called. */
async function sendFirst(waiting: readonly (() => Promise<CachedResponse | null>)[]) {
  const response = (await waiting[0]?.()) ?? null;
  return waiting.map(() => response);
}

/**
 * A list, and the view of its documents that every caller with access to them gets. The view isn't part of the cache's
 * key, so two lists with equal queries must have the same view.
 */
export interface ListedView<K extends DocumentKind> {
  readonly query: Query<K>;
  readonly view: (document: Documents[K]) => unknown;
}

/**
 * Returns a page of a list. Waits up to 1 s for the page to include this process's own appends (READ1). The page is
 * cached for later requests with the same query. It is served from the cache only while its version is the store's
 * current version, so it is never staler than a fresh read. The query of a customer's list contains the customer's id,
 * so that nobody gets another customer's list (READ2). Search results aren't cached, since reading their version
 * would cost as much as running the search. The `Link` header is built from `url`, the URL of the request.
 */
export async function cachedListPage<K extends DocumentKind>(
  { readModels, readYourWrites }: ApiDependencies,
  { query, view }: ListedView<K>,
  { limit, cursor }: PageRequest,
  url: string,
): Promise<Answer & { readonly headers: Readonly<Record<string, string>>; readonly body: CachedResponse }> {
  await readYourWrites.caughtUp(query.kind);
  const request = { limit, cursor };
  const make = async () => {
    const page = await readModels.page(query, request);
    return new CachedResponse(JSON.stringify(page.items.map(view)), page.version, page);
  };
  const body =
    query.text === ''
      ? await throughCache(readModels, {
          key: JSON.stringify([query, request]),
          version: () => readModels.versionOf(query, request),
          make,
        })
      : await takeTurn().then(make);
  return { headers: nextPage(body, url), body };
}
