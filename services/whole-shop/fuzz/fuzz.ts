import fc from 'fast-check';
import { z } from 'zod';
import { createdSchema } from '../../contracts/answers.ts';
import { paymentIntentAnswerSchema } from '../../contracts/payment/payment-answers.ts';
import { PROBLEMS } from '../../contracts/problems.ts';
import { type Input, type Operation, PARTS, type Part } from './input.ts';
import { inputsFor } from './inputs.ts';
import { jsonSchemaSchema } from './json-schema.ts';
import { type Reaction, sendHttp, sendRaw, type Target } from './send.ts';

/** The number of inputs in a batch. The inputs of a batch depend only on the seed and on the batch's position. */
const BATCH = 500;
/** The number of inputs in flight at a time. */
const WIDTH = 16;
/** Inputs can refer only to the latest orders and payment intents, up to this many of each. */
const LATEST = 30;

/** An input that the shop handled wrongly. */
export interface Failure {
  readonly number: number;
  readonly input: Input;
  readonly reason: string;
}

export interface FuzzReport {
  readonly sent: Readonly<Record<Part, number>>;
  /**
   * The number of responses by the first digit of their status. `silent` counts inputs that got no response, and `to be
   * sent again` counts signed webhooks that weren't acknowledged.
   */
  readonly answers: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
}

const orderedSchema = z.object({ quantity: z.number() });

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: jsonSchemaSchema })),
        requestBody: z
          .object({ content: z.object({ 'application/json': z.object({ schema: jsonSchemaSchema }) }) })
          .optional(),
      }),
    ),
  ),
});

/** Reads a shop's operations from its own OpenAPI document. */
export async function operationsOf(url: string): Promise<Operation[]> {
  const document = documentSchema.parse(await (await fetch(`${url}/openapi.json`)).json());
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters, requestBody }]) => ({
      method,
      path,
      parameters,
      body: requestBody?.content['application/json'].schema ?? null,
    })),
  );
}

/**
 * Generates inputs from `seed`, and sends them to the shop. `inputs` is the number of inputs to send. The same seed
 * generates the same inputs.
 */
export async function fuzz(target: Target, { seed, inputs }: { seed: number; inputs: number }): Promise<FuzzReport> {
  const arbitrary = inputsFor(await operationsOf(target.url));
  const sent = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  const answers: Record<string, number> = {};
  const failures: Failure[] = [];

  async function tryOne(input: Input, number: number): Promise<void> {
    const reaction = 'chunks' in input ? await sendRaw(target, input) : await sendHttp(target, input);
    sent[input.part] += 1;
    const kind = kindOf(input, reaction);
    answers[kind] = (answers[kind] ?? 0) + 1;
    const reason = faultOf(input, reaction);
    if (reason) failures.push({ number, input, reason });
    await follow(target, input, reaction);
  }

  for (let first = 0; first < inputs; first += BATCH) {
    const batch = fc.sample(arbitrary, { seed: seed + first, numRuns: Math.min(BATCH, inputs - first) });
    const queue = batch.entries();
    const worker = async () => {
      for (const [index, input] of queue) await tryOne(input, first + index);
    };
    await Promise.all(Array.from({ length: WIDTH }, worker));
  }
  return { sent, answers, failures };
}

function kindOf(input: Input, reaction: Reaction): string {
  if ('silent' in reaction) return 'silent';
  return isSentAgain(input, reaction) ? 'to be sent again' : `${Math.floor(reaction.status / 100)}xx`;
}

/**
 * Returns whether the shop responded to a signed webhook with 502 because it couldn't confirm the contents with Stripe.
 * This isn't a fault: the 502 makes Stripe send the webhook again (PAY3).
 */
function isSentAgain(input: Input, reaction: Reaction): boolean {
  if (!('signed' in input) || !input.signed || !('status' in reaction)) return false;
  return reaction.status === 502 && reaction.body.includes('payment_provider_failed');
}

/** Returns the reason why a response violates HTTP1, or null if it doesn't. */
function faultOf(input: Input, reaction: Reaction): string | null {
  if ('silent' in reaction) {
    return 'chunks' in input || /ECONNRESET|socket hang up|Parse Error/.test(reaction.silent) ? null : reaction.silent;
  }
  const { status, type, body } = reaction;
  if (isSentAgain(input, reaction)) return null;
  if (status >= 500 && !('chunks' in input && status === 505)) return `${status} ${body.slice(0, 300)}`;
  if (input.part !== 'api' || status < 400) return null;
  if (!type.startsWith('application/problem+json')) return `${status} has content type ${type}`;
  const code = (JSON.parse(body) as { code?: string }).code ?? '';
  return Object.hasOwn(PROBLEMS, code) ? null : `${code} is not a known problem code`;
}

/**
 * Saves new orders and payment intents so that later inputs can refer to them, pays three out of four intents, and
 * signs the sender in again after a 401.
 */
async function follow(target: Target, input: Input, reaction: Reaction): Promise<void> {
  if (input.part !== 'api' || !('method' in input) || !('status' in reaction)) return;
  const { sender, method, path } = input;
  if (reaction.status === 401 && sender !== 'nobody' && sender !== 'forger') await target.comeBack(sender);
  if (reaction.status >= 300 || method !== 'POST') return;
  if (/^\/orders(?:\?|$)/.test(path)) {
    const id = createdSchema.parse(JSON.parse(reaction.body)).insertedId;
    const { quantity } = orderedSchema.parse(JSON.parse(input.body ?? ''));
    if (target.orders.every((order) => order.id !== id)) note(target.orders, { id, total: target.totalOf(quantity) });
  }
  if (path.startsWith('/create-payment-intent')) {
    const { clientSecret } = paymentIntentAnswerSchema.parse(JSON.parse(reaction.body));
    const intent = clientSecret.replace(/_secret_.*$/, '');
    if (!target.intents.includes(intent)) note(target.intents, intent);
    // The id of a payment intent ends in a random hexadecimal digit, so this condition is true for three out of four
    // intents.
    if (!/[0-3]$/.test(intent)) await target.pay(clientSecret);
  }
}

function note<T>(latest: T[], one: T): void {
  latest.unshift(one);
  if (latest.length > LATEST) latest.pop();
}
