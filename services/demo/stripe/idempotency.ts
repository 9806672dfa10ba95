import { createHash } from 'node:crypto';
import { type Answer, invalidRequest, StripeFault } from './errors.ts';
import type { Simulation } from './simulation.ts';

/** Like Stripe, the simulator keeps idempotency keys for 24 hours. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

export interface KeyedCall {
  /** the API key used for the call; each of the two API keys has its own set of idempotency keys */
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
  /**
   * Returns the stored response of an earlier call with this key, if any.
   * @throws `idempotency_error` if the key was used for a different request, or status 409 while the first call is in
   * progress
   */
  recall(call: KeyedCall): StoredAnswer | undefined;
  /** Marks the key as in use until the returned function is called. */
  hold(call: KeyedCall): () => void;
  /**
   * Stores the response. Must be called in the same transaction as the call's changes, so that after a crash either
   * both are stored or neither is.
   */
  remember(call: KeyedCall, answer: Answer): void;
}

type KeptAnswer = Omit<KeyedCall, 'params'> & { fingerprint: string; status: number; body: string; created: number };

interface AnswerRow {
  endpoint: string;
  fingerprint: string;
  requestId: string;
  status: number;
  body: string;
}

export function createIdempotencyKeys({ database, clock }: Pick<Simulation, 'database' | 'clock'>): IdempotencyKeys {
  const inFlight = new Set<string>();
  const find = database.prepare<[string, string, number], AnswerRow>(
    `SELECT endpoint, fingerprint, request_id AS requestId, status, body FROM answers
     WHERE credential = ? AND key = ? AND created > ?`,
  );
  const keep = database.prepare<[KeptAnswer]>(
    `INSERT OR REPLACE INTO answers (credential, key, endpoint, fingerprint, request_id, status, body, created)
     VALUES (@credential, @key, @endpoint, @fingerprint, @requestId, @status, @body, @created)`,
  );
  database.prepare('DELETE FROM answers WHERE created <= ?').run(clock() - KEY_LIFETIME_MS);
  const nameOf = (call: KeyedCall) => `${call.credential} ${call.key}`;

  return {
    recall(call) {
      const { credential, key, endpoint, params } = call;
      if (key.length > 255) throw invalidRequest('Idempotency keys must be at most 255 characters long.');
      if (inFlight.has(nameOf(call))) {
        const message = `There is currently another in-progress request using this Idempotent Key: ${key}. Please try again later.`;
        throw invalidRequest(message, { code: 'idempotency_key_in_use' }, 409);
      }
      const row = find.get(credential, key, clock() - KEY_LIFETIME_MS);
      if (!row) return undefined;
      if (row.endpoint !== endpoint) {
        throw usedBefore(
          'Keys for idempotent requests can only be used for the same endpoint they were first used for ' +
            `('${endpoint}' called, first used for '${row.endpoint}').`,
        );
      }
      if (row.fingerprint !== fingerprintOf(params)) {
        throw usedBefore(
          'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
            `Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      return { status: row.status, body: JSON.parse(row.body), requestId: row.requestId };
    },
    hold(call) {
      inFlight.add(nameOf(call));
      return () => inFlight.delete(nameOf(call));
    },
    remember({ params, ...call }, { status, body }) {
      const fingerprint = fingerprintOf(params);
      keep.run({ ...call, fingerprint, status, body: JSON.stringify(body), created: clock() });
    },
  };
}

function usedBefore(message: string): StripeFault {
  return new StripeFault(400, { type: 'idempotency_error', message });
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
