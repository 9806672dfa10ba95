import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { EventLog } from '../../engine/log/event-log.ts';
import type { KeyVault } from '../../engine/log/key-vault.ts';
import { endedWithin, type Schedule, scheduleTimer } from '../../runtime/schedule.ts';
import { orderDecider } from '../order/decide-order.ts';
import { reviewDecider } from '../review/review.ts';
import { userDecider } from './decide-user.ts';
import { idsOfPerson } from './streams-of-person-flow.ts';
import { isClosedForErasure } from './user.ts';

/** Deletes personal data that is stored outside the log and the documents. Every method is idempotent. */
export interface PersonalStores {
  forgetKey(userId: string): Promise<void>;
  deleteAccount(uid: string): Promise<void>;
  /** Deletes names and e-mail addresses at the payment provider, as far as the provider allows. The payments themselves are kept. */
  forgetPayers(intents: readonly string[]): Promise<void>;
  /** Removes deleted data that is still present in files. */
  wipe(): Promise<void>;
}

export interface ErasureSettings {
  readonly handler: CommandHandler;
  readonly log: Pick<EventLog, 'streamsOf'>;
  readonly vault: Pick<KeyVault, 'find'>;
  readonly stores: PersonalStores;
  readonly logger: Pick<Logger, 'warn'>;
  readonly schedule?: Schedule | undefined;
}

/**
 * Erases the personal data of people whose accounts were closed for erasure (ERASE1). Erasures run in the background,
 * so that no event has to wait for an external provider.
 */
export interface Erasures {
  /**
   * Returns true if nothing is left to erase. Otherwise returns false without waiting, and starts the erasure unless it
   * is already running or the maximum number of erasures is reached.
   */
  follow(userId: string, meta: Meta): Promise<boolean>;
  /** Removes erased people's personal data that is still present in files. */
  wipe(): Promise<void>;
  /** Starts no more erasures, and waits up to 3 s for running erasures to finish. */
  stop(): Promise<void>;
}

type Meta = Omit<CommandMeta, 'cause'>;

/**
 * The maximum number of concurrent erasures. Once it is reached, no further erasure is started, and the feed redelivers
 * the event that requested one.
 */
const MAX_ERASURES = 16;
const MAX_IN_FLIGHT = 16;
const LAST_WORK_MS = 3_000;
/** A full queue must not interrupt an erasure (CMD5). */
const ADMITTED = { bypassLimits: true } as const;
const ERASE = { type: 'ErasePersonalData' } as const;

export function createErasures(settings: ErasureSettings): Erasures {
  const { handler, logger, schedule = scheduleTimer } = settings;
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** Never rejects. */
  async function run(userId: string, uid: string, meta: Meta): Promise<void> {
    try {
      await erasePerson(settings, { userId, uid, isStopped: () => stopped }, meta);
    } catch (error) {
      logger.warn({ err: error, person: userId }, "could not erase a person's data; will retry");
    }
    running.delete(userId);
  }

  return {
    async follow(userId, meta) {
      const { state } = await handler.load(userDecider, userId);
      if (!isClosedForErasure(state) || state.completed) return true;
      if (!stopped && !running.has(userId) && running.size < MAX_ERASURES) {
        running.set(userId, run(userId, state.uid, meta));
      }
      return false;
    },
    wipe: settings.stores.wipe,
    stop() {
      stopped = true;
      return endedWithin(schedule, LAST_WORK_MS, Promise.all(running.values()));
    },
  };
}

export const ERASE_LATE = 'erase-late:';

/**
 * Erases the personal data of a new order or review if the customer's account is closed for erasure. The erasure of the
 * customer's data may have missed this order or review. In addition, a process that still had the customer's key cached
 * may have saved the document in plain text. Idempotent.
 */
export async function eraseLate(
  handler: CommandHandler,
  { type, id: event, subject, data: { person: userId } }: RecordedEvent<'OrderPlaced' | 'ReviewPosted'>,
  meta: Meta,
): Promise<void> {
  const { state } = await handler.load(userDecider, userId);
  if (!isClosedForErasure(state)) return;
  const { id } = parseStreamName(subject);
  const erasing = { ...meta, cause: `${ERASE_LATE}${event}` };
  if (type === 'ReviewPosted') await handler.execute(reviewDecider, id, ERASE, erasing, ADMITTED);
  // Until the person's erasure is complete, a paid order may still need its delivery address.
  else await handler.execute(orderDecider, id, { ...ERASE, evenIfPaid: state.completed }, erasing, ADMITTED);
}

/**
 * Thrown if a person has orders that are paid but not shipped yet. Such orders can't be shipped without a name and an
 * address, so the erasure has to wait for them.
 */
class OrdersOnTheirWay extends Error {
  override readonly name = 'OrdersOnTheirWay';

  constructor(orderIds: readonly string[]) {
    super(`These orders are paid and not shipped yet: ${orderIds.join(', ')}.`);
  }
}

interface Erasing {
  readonly userId: string;
  /** the uid of the person's account at the identity provider */
  readonly uid: string;
  readonly isStopped: () => boolean;
}

/**
 * Erases a person's data but keeps their orders, without the personal data. The erasure is first recorded on each
 * order's stream. From then on, the order can't be paid for and its shipment can't be withdrawn. If an order was paid
 * while the account was being closed, the erasure isn't recorded on that order's stream until the order has shipped.
 * The person's key is deleted once the erasure is recorded on every order's stream. Idempotent.
 * @throws OrdersOnTheirWay
 */
async function erasePerson(
  { handler, log, vault, stores }: ErasureSettings,
  { userId, uid, isStopped }: Erasing,
  meta: Meta,
): Promise<void> {
  // The account's deletion is started first, because the person can sign in again until the account is deleted. It is
  // awaited last, because the identity provider may be down.
  const accountDeleted = stores.deleteAccount(uid);
  accountDeleted.catch(() => undefined);
  const erasing = { ...meta, cause: `erase:${userId}` };
  // A restored backup may contain paid orders of a person whose key was deleted after the backup was taken. These
  // orders' addresses can't be read any more, so the erasure doesn't have to wait until the orders have shipped.
  const evenIfPaid = (await vault.find(userId)) === null;
  const intents: string[] = [];
  const paid: string[] = [];
  await pLimit(MAX_IN_FLIGHT).map(await idsOfPerson(log, 'order', userId), async (id) => {
    const outcome = await handler.execute(orderDecider, id, { ...ERASE, evenIfPaid }, erasing, ADMITTED);
    if (outcome.kind === 'refused') paid.push(id);
    else if (outcome.state.status !== 'absent') intents.push(...outcome.state.intents.map(({ intent }) => intent));
  });
  if (paid.length > 0) throw new OrdersOnTheirWay(paid);
  await stores.forgetKey(userId);
  for (const id of await idsOfPerson(log, 'review', userId)) {
    await handler.execute(reviewDecider, id, ERASE, erasing, ADMITTED);
  }
  await stores.forgetPayers(intents);
  await accountDeleted;
  if (isStopped()) return;
  await handler.execute(userDecider, userId, { type: 'CompleteErasure' }, erasing, ADMITTED);
}
