import { z } from 'zod';
import { documentPushSchema } from '../../contracts/pushes.ts';
import { parseJson } from '../../runtime/parse-json.ts';
import type { Every } from '../../runtime/schedule.ts';
import { openRedis, type RedisSettings } from './redis.ts';

/** The part of a Redis client that publishers and subscribers use. A simulation provides its own. */
export interface PubSubClient {
  /** `ready` while there is a connection */
  readonly status: string;
  publish(channel: string, text: string): Promise<unknown>;
  set(key: string, value: string, unit: 'PX', milliseconds: number): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  ping(): Promise<unknown>;
  on(event: 'ready' | 'close', listener: () => void): unknown;
  on(event: 'message', listener: (channel: string, text: string) => void): unknown;
  disconnect(): void;
}

export interface RedisChannel {
  readonly url: string;
  readonly channel: string;
  /** Called when Redis fails or a message is malformed. The error contains nothing that was published. */
  readonly onError: (error: Error) => void;
  /** the time between heartbeats, in ms */
  readonly beatMs?: number;
  /** The longest wait for a reply from Redis, in ms. A connection that is silent for three times as long is replaced. */
  readonly commandTimeoutMs?: number;
  readonly every?: Every;
  /** connects to Redis (`openRedis`) */
  readonly connect?: (url: string, settings: RedisSettings) => PubSubClient;
}

export const BEAT_MS = 1_000;

const audienceSchema = z.union([z.enum(['everyone', 'admins']), z.templateLiteral(['user:', z.string()])]);

/**
 * `from` identifies the publisher. `n` is the sequence number of the publisher's last push. Subscribers detect lost
 * pushes from gaps in these numbers (LIVE5).
 */
const numbered = { from: z.string().min(1), n: z.number().int().nonnegative() };

const envelopeSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('push'),
    ...numbered,
    push: documentPushSchema,
    audiences: z.array(audienceSchema),
    paced: z.boolean().optional(),
  }),
  z.object({ type: z.literal('beat'), ...numbered }),
  z.object({ type: z.literal('goodbye'), ...numbered }),
]);
export type Envelope = z.infer<typeof envelopeSchema>;

/** Connects a publisher or a subscriber to its Redis. */
export const connectTo = (options: RedisChannel): PubSubClient => (options.connect ?? openRedis)(options.url, options);

/** Parses a broadcast message. @throws Error that says what is wrong, without quoting the text */
export function readEnvelope(text: string): Envelope {
  const envelope = envelopeSchema.safeParse(parseJson(text));
  if (envelope.success) return envelope.data;
  const [issue] = envelope.error.issues;
  throw new Error(`A broadcast message is malformed: ${issue?.path.join('.')}: ${issue?.message}`);
}
