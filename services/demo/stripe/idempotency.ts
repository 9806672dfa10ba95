import { createHash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.ts';
import type { Database } from './database.ts';
import { type Answer, invalidRequest, StripeFault } from './errors.ts';

/** As at Stripe. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface KeyedCall {
  /** the two keys have separate idempotency keys */
  credential: 'secret' | 'publishable';
  key: string;
  /** method and path, e.g. `POST /v1/refunds` */
  endpoint: string;
  params: unknown;
  requestId: string;
}

export interface StoredAnswer extends Answer {
  requestId: string;
}

export interface IdempotencyKeys {
  /** @throws `idempotency_error` where the key was used for another request, 409 while the first call is in progress */
  recall(call: KeyedCall): StoredAnswer | undefined;
  /** The key is in use until the returned function is called. */
  hold(call: KeyedCall): () => void;
  /** In the transaction of the effect: either both survive a crash or neither. */
  remember(call: KeyedCall, answer: Answer): void;
}

interface AnswerRow {
  endpoint: string;
  fingerprint: string;
  request_id: string;
  status: number;
  body: string;
}

export function createIdempotencyKeys(database: Database, clock: Clock): IdempotencyKeys {
  const inFlight = new Set<string>();
  const find = database.prepare<[string, string, number], AnswerRow>(
    'SELECT endpoint, fingerprint, request_id, status, body FROM answers WHERE credential = ? AND key = ? AND created > ?',
  );
  const keep = database.prepare(
    `INSERT OR REPLACE INTO answers (credential, key, endpoint, fingerprint, request_id, status, body, created)
     VALUES (@credential, @key, @endpoint, @fingerprint, @requestId, @status, @body, @created)`,
  );
  database.prepare('DELETE FROM answers WHERE created <= ?').run(clock() - KEY_LIFETIME_MS);
  const nameOf = (call: KeyedCall) => `${call.credential} ${call.key}`;

  return {
    recall(call) {
      if (call.key.length > 255) throw invalidRequest('Idempotency keys must be at most 255 characters long.');
      if (inFlight.has(nameOf(call))) throw keyInUse(call.key);
      const row = find.get(call.credential, call.key, clock() - KEY_LIFETIME_MS);
      if (!row) return undefined;
      if (row.endpoint !== call.endpoint) throw otherEndpoint(row.endpoint, call.endpoint);
      if (row.fingerprint !== fingerprintOf(call.params)) throw otherParameters(call.key);
      return { status: row.status, body: JSON.parse(row.body), requestId: row.request_id };
    },
    hold(call) {
      inFlight.add(nameOf(call));
      return () => inFlight.delete(nameOf(call));
    },
    remember({ credential, key, endpoint, params, requestId }, { status, body }) {
      const fingerprint = fingerprintOf(params);
      keep.run({
        credential,
        key,
        endpoint,
        fingerprint,
        requestId,
        status,
        body: JSON.stringify(body),
        created: clock(),
      });
    },
  };
}

function fingerprintOf(params: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(params)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => [key, sorted(inner)]);
}

function keyInUse(key: string): StripeFault {
  return new StripeFault(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`,
  });
}

function otherParameters(key: string): StripeFault {
  return new StripeFault(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`,
  });
}

function otherEndpoint(first: string, now: string): StripeFault {
  return new StripeFault(400, {
    type: 'idempotency_error',
    message:
      'Keys for idempotent requests can only be used for the same endpoint they were first used for ' +
      `('${now}' called, first used for '${first}').`,
  });
}
