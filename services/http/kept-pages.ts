import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Documents } from '../contracts/documents.ts';
import type { Audience } from '../contracts/projection.ts';
import type { KeptLists, Page } from '../engine/read-models/read-models.ts';
import { nextPage } from './answers.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { Answer } from './route.ts';

/** The most that the kept pages of one shop take together, in bytes. */
const MOST_KEPT = 16_000_000;
/** What a page takes beside its bytes, so that many small ones count as well. */
const BESIDE = 1_000;
/** Smaller ones are sent as they are. */
const WORTH_COMPRESSING = 1_024;

const ENCODERS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Buffer) => gzipSync(bytes),
};
type Encoding = keyof typeof ENCODERS;

/** One answer as bytes, made once for all who ask for it: the page of a list, or of the client. */
export class KeptPage {
  readonly version: string;
  /** in bytes, with all encodings */
  readonly size: number;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #bytes: Buffer;
  readonly #encoded = new Map<Encoding, Buffer>();

  readonly #type: string;

  constructor(
    text: string,
    version: string,
    headers: Readonly<Record<string, string>>,
    type = 'application/json; charset=utf-8',
  ) {
    this.version = version;
    this.headers = headers;
    this.#type = type;
    this.#bytes = Buffer.from(text);
    // Weak, since it is the same for all encodings.
    this.etag = `W/"${createHash('sha256').update(this.#bytes).digest('base64url').slice(0, 27)}"`;
    this.size = BESIDE + this.#bytes.length * (1 + Object.keys(ENCODERS).length);
  }

  /** Sends the page, or 304 to whoever has it. */
  send(response: Response): void {
    response.set(this.headers).set('ETag', this.etag).vary('Accept-Encoding');
    if (response.req.fresh) return void response.status(304).end();
    const encoding = this.#bytes.length < WORTH_COMPRESSING ? null : encodingFor(response);
    const bytes = encoding ? this.#encode(encoding) : this.#bytes;
    if (encoding) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Type', this.#type);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  }

  text(): string {
    return this.#bytes.toString();
  }

  #encode(encoding: Encoding): Buffer {
    const bytes = this.#encoded.get(encoding) ?? ENCODERS[encoding](this.#bytes);
    this.#encoded.set(encoding, bytes);
    return bytes;
  }
}

function encodingFor({ req }: Response): Encoding | null {
  if (req.headers['accept-encoding'] === undefined) return null;
  const [accepted] = [req.acceptsEncodings('br', 'gzip', 'identity')].flat();
  return accepted === 'br' || accepted === 'gzip' ? accepted : null;
}

/** Pages that together take at most so many bytes: the one unused for longest makes room. */
export function pagesWithin(maxSize: number): LRUCache<string, KeptPage> {
  return new LRUCache({ maxSize, sizeCalculation: ({ size }: KeptPage) => size });
}

const keptOf = new WeakMap<ApiDependencies['readModels'], LRUCache<string, KeptPage>>();

interface ListPage<K extends keyof KeptLists> {
  readonly kind: K;
  readonly seenBy: Audience;
  readonly request: KeptLists[K];
  readonly read: (request: KeptLists[K]) => Promise<Page<Documents[K]>>;
  readonly view: (document: Documents[K]) => unknown;
  readonly url: string;
}

/**
 * Answers a page of a list, and keeps it as bytes for whoever may see the same. What is kept is sent only while the store names
 * its version, so that nobody reads of less than without it (READ1); where much is searched, asking costs as much as reading.
 */
export async function keptPage<K extends keyof KeptLists>(
  { readModels }: ApiDependencies,
  list: ListPage<K>,
): Promise<Answer & { readonly body: KeptPage }> {
  const { kind, seenBy, request, read, view, url } = list;
  const pages = keptOf.get(readModels) ?? pagesWithin(MOST_KEPT);
  keptOf.set(readModels, pages);
  const key = `${kind} ${seenBy} ${url}`;
  const isSearch = 'q' in request && Boolean(request.q);
  const kept = pages.get(key);
  if (kept && kept.version === (await readModels.versionOf(kind, request))) return { body: kept };
  const page = await read(request);
  const made = new KeptPage(JSON.stringify(page.items.map(view)), page.version, nextPage(page, url));
  if (!isSearch) pages.set(key, made);
  return { body: made };
}
