import { createHash } from 'node:crypto';
import type { Logger } from '../../runtime/log.ts';
import { type Link, type LinkFaults, NO_FAULTS } from './network.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { VirtualTime } from './virtual-time.ts';

/**
 * The services that processes call. `api` is the link between people's browsers and the shop, and `live` carries pushes
 * to the browsers.
 */
export const TARGETS = [
  'log',
  'documents',
  'keys',
  'snapshots',
  'outbox',
  'kafka',
  'stripe',
  'identity',
  'mail',
  'api',
  'redis',
  'live',
] as const;
export type Target = (typeof TARGETS)[number];

/**
 * The kinds of disasters. A disaster affects a process, a link, Kafka or Stripe as a whole. What people do in Stripe's
 * dashboard, and what banks decide, counts too, because it happens without the shop.
 */
export const DISASTERS = [
  'kill',
  'pause',
  'cut process',
  'cut target',
  'clock',
  'lost messages',
  'refund trouble',
  'webhook trouble',
  'stripe fails',
  'cancelled intent',
  'dashboard refund',
  'dispute',
  'late lists',
  'aged events',
  'restricted key',
  'low balance',
  'movement without an order',
  'redis trouble',
] as const;
export type Disaster = (typeof DISASTERS)[number];
/** What went wrong: the target of a call that met a fault, or a disaster. A crash during a call is a kill. */
export type Trouble = Target | Disaster;

const BROKEN_AFTER_MS: Partial<Record<Target, number>> = { stripe: 7_000, api: 15_000 };

/** The state that all parts of a simulated run share. */
export interface World {
  readonly time: VirtualTime;
  /** the faults of each link; changes to them take effect immediately */
  readonly links: Readonly<Record<Target, LinkFaults>>;
  /** the names of processes and targets that can't be reached at the moment */
  readonly cuts: Set<string>;
  /** how often each rare situation has occurred, by name */
  readonly situations: Map<string, number>;
  /** when each event became durable, by the event's id, in ms since the epoch */
  readonly durableAt: Map<string, number>;
  /** one sentence for each fault found so far */
  readonly faults: readonly string[];
  readonly lines: readonly string[];
  linkOf(process: SimulatedProcess, to: Target, onCrash: () => void): Link;
  /** Adds a line to the trace. A line must not contain text that depends on the machine or the version of Node. */
  say(line: string): void;
  note(situation: string): void;
  /** Records that a rule was broken, in one sentence. */
  fault(sentence: string): void;
  /** Records that something went wrong just now: a call to a target met a fault, or a disaster began. */
  trouble(what: Trouble): void;
  /** Returns true if nothing that matters went wrong between the two times. */
  wasCalm(from: number, to: number, matters: (what: Trouble) => boolean): boolean;
  loggerOf(process: SimulatedProcess): Logger;
  /** Returns a hash of the trace. Identical runs have the same hash. */
  hash(): string;
}

export function createWorld(time: VirtualTime, begin: number): World {
  const lines: string[] = [];
  const situations = new Map<string, number>();
  const links = Object.fromEntries(TARGETS.map((target) => [target, { ...NO_FAULTS }])) as unknown as World['links'];
  const cuts = new Set<string>();
  const faults: string[] = [];
  const troubles: { readonly at: number; readonly what: Trouble }[] = [];
  const trouble = (what: Trouble) => void troubles.push({ at: time.now(), what });
  const say = (line: string) => void lines.push(`${String(time.now() - begin).padStart(9)} ${line}`);
  const note = (situation: string) => void situations.set(situation, (situations.get(situation) ?? 0) + 1);

  return {
    time,
    links,
    cuts,
    situations,
    durableAt: new Map(),
    faults,
    lines,
    say,
    note,
    fault(sentence) {
      say(`FAULT: ${sentence}`);
      faults.push(sentence);
    },
    trouble,
    wasCalm: (from, to, matters) => !troubles.some(({ at, what }) => at >= from && at <= to && matters(what)),
    linkOf: (process, to, onCrash) => ({
      time,
      process,
      to,
      dice: process.dice,
      faults: links[to],
      brokenAfter: BROKEN_AFTER_MS[to] ?? 30_000,
      isCut: () => cuts.has(to) || cuts.has(process.name),
      onFault(fault, about) {
        say(`${fault}: ${about}`);
        note(`fault: ${fault} (${to})`);
        trouble(fault === 'crash' ? 'kill' : to);
      },
      onCrash,
    }),
    loggerOf: (process) =>
      createSilentLogger((text) => {
        if (process.isAlive()) note(`log: ${text}`);
      }),
    hash: () => createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16),
  };
}

/** Returns a logger that passes only the fixed text of each message to `said`. */
function createSilentLogger(said: (text: string) => void): Logger {
  const write = (...args: unknown[]) => {
    const text = args.find((arg) => typeof arg === 'string');
    if (text !== undefined) said(text);
  };
  const logger = {
    trace: write,
    debug: write,
    info: write,
    warn: write,
    error: write,
    fatal: write,
    child: () => logger,
  };
  return logger as unknown as Logger;
}
