import fc from 'fast-check';
import { z } from 'zod';
import { createdSchema } from '../../contracts/answers.ts';
import { PROBLEMS } from '../../contracts/problems.ts';
import { type Input, inputsFor, type Operation, PARTS, type Part } from './inputs.ts';
import { jsonSchemaSchema } from './json-schema.ts';
import { type Reaction, sendHttp, sendRaw, type Target } from './send.ts';

/** Inputs drawn at once: a batch depends on its number and the seed alone. */
const BATCH = 500;
/** Inputs under way at once. */
const WIDTH = 16;

/** An input that the shop did not survive as it should. */
export interface Failure {
  readonly number: number;
  readonly input: Input;
  readonly reason: string;
}

export interface FuzzReport {
  readonly sent: Readonly<Record<Part, number>>;
  /** answers by the first digit of their status; `silent` where the connection was closed without one */
  readonly answers: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
}

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

/** The operations of a shop, as its own OpenAPI document describes them. */
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

/** Sends inputs drawn from a seed until so many were sent or `until` (ms since the epoch) has come. The same seed draws the same. */
export async function fuzz(
  target: Target,
  { seed, inputs, until = Number.POSITIVE_INFINITY }: { seed: number; inputs: number; until?: number },
): Promise<FuzzReport> {
  const arbitrary = inputsFor(await operationsOf(target.url));
  const sent = Object.fromEntries(PARTS.map((part) => [part, 0])) as Record<Part, number>;
  const answers: Record<string, number> = {};
  const failures: Failure[] = [];

  async function tryOne(input: Input, number: number): Promise<void> {
    const reaction = 'chunks' in input ? await sendRaw(target, input) : await sendHttp(target, input);
    sent[input.part] += 1;
    const kind = 'status' in reaction ? `${Math.floor(reaction.status / 100)}xx` : 'silent';
    answers[kind] = (answers[kind] ?? 0) + 1;
    const reason = faultOf(input, reaction);
    if (reason) failures.push({ number, input, reason });
    noteOrder(target, input, reaction);
  }

  for (let first = 0; first < inputs && Date.now() < until; first += BATCH) {
    const batch = fc.sample(arbitrary, { seed: seed + first, numRuns: Math.min(BATCH, inputs - first) });
    const queue = batch.entries();
    const worker = async () => {
      for (const [index, input] of queue) await tryOne(input, first + index);
    };
    await Promise.all(Array.from({ length: WIDTH }, worker));
  }
  return { sent, answers, failures };
}

/** Why an answer breaks a promise (HTTP1); null where it keeps all. */
function faultOf(input: Input, reaction: Reaction): string | null {
  if ('silent' in reaction) {
    return 'chunks' in input || /ECONNRESET|socket hang up|Parse Error/.test(reaction.silent) ? null : reaction.silent;
  }
  const { status, type, body } = reaction;
  if (status >= 500 && !('chunks' in input && status === 505)) return `${status} ${body.slice(0, 300)}`;
  if (input.part !== 'api' || status < 400) return null;
  if (!type.startsWith('application/problem+json')) return `${status} is no problem+json but ${type}`;
  const code = (JSON.parse(body) as { code?: string }).code ?? '';
  return Object.hasOwn(PROBLEMS, code) ? null : `the code ${code} is not on the list`;
}

/** Later inputs may name the orders that earlier ones have placed. */
function noteOrder(target: Target, input: Input, reaction: Reaction): void {
  if (input.part !== 'api' || !('method' in input) || input.method !== 'POST') return;
  if (!('status' in reaction) || reaction.status !== 201 || !input.path.startsWith('/orders')) return;
  const created = createdSchema.safeParse(JSON.parse(reaction.body));
  if (created.success && target.orders.length < 200) target.orders.push(created.data.insertedId);
}
