import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import type { KeyVault } from '../../engine/log/key-vault.ts';
import { endedWithin, scheduleTimer } from '../../runtime/schedule.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { reviewDecider } from '../../shop/review/review.ts';
import { userDecider } from '../../shop/user/decide-user.ts';
import { isClosedForErasure } from '../../shop/user/user.ts';
import { idsOfPerson } from '../streams-of-person.ts';

/** Deletes personal data that isn't in the log or the documents. Every call is idempotent. */
export interface PersonalStores {
  forgetKey(person: string): Promise<void>;
  deleteAccount(uid: string): Promise<void>;
  /** Deletes names and e-mail addresses at the payment provider, as far as it allows. The payments stay. */
  forgetPayers(intents: readonly string[]): Promise<void>;
  /** Overwrites deleted data that is still in files. */
  wipe(): Promise<void>;
}

export interface ErasureSettings {
  readonly handler: CommandHandler;
  readonly log: Pick<EventLog, 'streamsOf'>;
  readonly vault: Pick<KeyVault, 'find'>;
  readonly stores: PersonalStores;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Erases the people whose accounts were closed for erasure (ERASE1). Erasures run in the background, so no event waits for a provider. */
export interface Erasures {
  /**
   * Returns true if nothing is left to erase. Otherwise starts the erasure, unless it or too many others are already
   * running, and returns false without waiting.
   */
  follow(person: string, meta: Meta): Promise<boolean>;
  /** Overwrites personal data of erased people that is still in files. */
  wipe(): Promise<void>;
  /** Starts no more erasures, and waits up to 3 s for the running ones. */
  stop(): Promise<void>;
}

type Meta = Omit<CommandMeta, 'cause'>;

/** The most people that are erased at the same time. The feed delivers the events of the others again. */
const MAX_ERASURES = 16;
const MAX_IN_FLIGHT = 16;
const LAST_WORK_MS = 3_000;
/** A full queue must not interrupt an erasure (CMD5). */
const ADMITTED = { bypassLimits: true } as const;
const ERASE = { type: 'ErasePersonalData' } as const;

export function createErasures(settings: ErasureSettings): Erasures {
  const { handler, logger } = settings;
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** Never rejects. */
  async function run(person: string, uid: string, meta: Meta): Promise<void> {
    try {
      await erasePerson(settings, { person, uid, isStopped: () => stopped }, meta);
    } catch (error) {
      logger.warn({ err: error, person }, 'a person is not erased yet; the erasure will be retried');
    }
    running.delete(person);
  }

  return {
    async follow(person, meta) {
      const { state } = await handler.load(userDecider, person);
      if (!isClosedForErasure(state) || state.completed) return true;
      if (!stopped && !running.has(person) && running.size < MAX_ERASURES) {
        running.set(person, run(person, state.uid, meta));
      }
      return false;
    },
    wipe: settings.stores.wipe,
    stop() {
      stopped = true;
      return endedWithin(scheduleTimer, LAST_WORK_MS, Promise.all(running.values()));
    },
  };
}

export const ERASE_LATE = 'erase-late:';

/**
 * Erases a new order or review if its person's account is closed for erasure. The person's erasure may have missed the
 * order or review, and a process that still had the key cached may have saved the name in plain text. Idempotent.
 */
export async function eraseLate(
  handler: CommandHandler,
  { type, id: event, subject, data: { person } }: RecordedEvent<'OrderPlaced' | 'ReviewPosted'>,
  meta: Meta,
): Promise<void> {
  const { state } = await handler.load(userDecider, person);
  if (!isClosedForErasure(state)) return;
  const { id } = parseStreamName(subject);
  const erasing = { ...meta, cause: `${ERASE_LATE}${event}` };
  if (type === 'ReviewPosted') await handler.execute(reviewDecider, id, ERASE, erasing, ADMITTED);
  // Until the erasure is complete, a paid order may still need its address.
  else await handler.execute(orderDecider, id, { ...ERASE, evenIfPaid: state.completed }, erasing, ADMITTED);
}

/** The erasure has to wait for these orders. They are paid, and can't be shipped without a name and an address. */
class OrdersOnTheirWay extends Error {
  override readonly name = 'OrdersOnTheirWay';

  constructor(orderIds: readonly string[]) {
    super(`These orders are paid and not shipped yet: ${orderIds.join(', ')}.`);
  }
}

interface Erasing {
  readonly person: string;
  /** the uid of the person's account at the identity provider */
  readonly uid: string;
  readonly isStopped: () => boolean;
}

/**
 * Erases a person's data but keeps their orders, without a name. Each order first accepts the erasure on its own
 * stream. From then on, it can't be paid and its shipment can't be withdrawn. The person's key is forgotten once every
 * order has accepted. An order that was paid while the account was being closed accepts only after it has shipped.
 * Idempotent.
 * @throws OrdersOnTheirWay
 */
async function erasePerson(
  { handler, log, vault, stores }: ErasureSettings,
  { person, uid, isStopped }: Erasing,
  meta: Meta,
): Promise<void> {
  // This starts first, because the person can sign in again until the account is deleted. It's awaited last, because
  // the identity provider may be down.
  const accountDeleted = stores.deleteAccount(uid);
  accountDeleted.catch(() => undefined);
  const erasing = { ...meta, cause: `erase:${person}` };
  // A restored backup may contain paid orders of a person whose key was forgotten later. The addresses of these orders
  // can't be read any more, so there is nothing to keep.
  const evenIfPaid = (await vault.find(person)) === null;
  const intents: string[] = [];
  const paid: string[] = [];
  await pLimit(MAX_IN_FLIGHT).map(await idsOfPerson(log, 'order', person), async (id) => {
    const outcome = await handler.execute(orderDecider, id, { ...ERASE, evenIfPaid }, erasing, ADMITTED);
    if (outcome.kind === 'refused') paid.push(id);
    else if (outcome.state.status !== 'absent') intents.push(...outcome.state.intents.map(({ intent }) => intent));
  });
  if (paid.length > 0) throw new OrdersOnTheirWay(paid);
  await stores.forgetKey(person);
  for (const id of await idsOfPerson(log, 'review', person)) {
    await handler.execute(reviewDecider, id, ERASE, erasing, ADMITTED);
  }
  await stores.forgetPayers(intents);
  await accountDeleted;
  if (isStopped()) return;
  await handler.execute(userDecider, person, { type: 'CompleteErasure' }, erasing, ADMITTED);
}
