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

/** Where personal data is kept beside the log and the documents. Every call is idempotent. */
export interface PersonalStores {
  forgetKey(person: string): Promise<void>;
  deleteAccount(uid: string): Promise<void>;
  /** name and e-mail at the payment provider, as far as it can delete them; the payments stay */
  forgetPayers(intents: readonly string[]): Promise<void>;
  /** overwrites what files still hold of deleted data */
  wipe(): Promise<void>;
}

export interface ErasureSettings {
  readonly handler: CommandHandler;
  readonly log: Pick<EventLog, 'streamsOf'>;
  readonly vault: Pick<KeyVault, 'find'>;
  readonly stores: PersonalStores;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Erases the people whose accounts were closed for erasure (ERASE1). It works beside the projector, so no event waits for a provider. */
export interface Erasures {
  /** Returns true once the person is erased. Until then it starts their erasure where none is running, returns false and waits for nobody. */
  follow(person: string, meta: Meta): Promise<boolean>;
  /** Overwrites the personal data of erased people that files still hold. */
  wipe(): Promise<void>;
  /** Starts no more erasures, and waits up to 3 s for the running ones. */
  stop(): Promise<void>;
}

type Meta = Omit<CommandMeta, 'cause'>;

/** How many people are erased at once. The feed asks for the others again. */
const MAX_ERASURES = 16;
const MAX_IN_FLIGHT = 16;
const LAST_WORK_MS = 3_000;
/** No full queue may cut an erasure (CMD5). */
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
      logger.warn({ err: error, person }, 'a person is not erased yet; the erasure is tried again');
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
 * Erases an order or a review of a person who is already erased. Their erasure may have missed it, and a process that keeps keys for a
 * while may have saved it with the name in clear. Idempotent.
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
  // Until the erasure has ended, a paid order may still need its address.
  else await handler.execute(orderDecider, id, { ...ERASE, evenIfPaid: state.completed }, erasing, ADMITTED);
}

/** An erasure waits for these orders, which are paid and have to be shipped to a name and an address. */
class OrdersOnTheirWay extends Error {
  override readonly name = 'OrdersOnTheirWay';

  constructor(orderIds: readonly string[]) {
    super(`These orders are paid and not shipped yet: ${orderIds.join(', ')}.`);
  }
}

interface Erasing {
  readonly person: string;
  /** of their account at the provider */
  readonly uid: string;
  readonly isStopped: () => boolean;
}

/**
 * Idempotent. Orders stay, without a name. Each order agrees on its own stream to lose its customer, and can't be paid or withdrawn
 * afterwards. The key is forgotten once all of them have agreed. An order that was paid while the account was closed keeps the key
 * until it is shipped.
 * @throws OrdersOnTheirWay
 */
async function erasePerson(
  { handler, log, vault, stores }: ErasureSettings,
  { person, uid, isStopped }: Erasing,
  meta: Meta,
): Promise<void> {
  // Started first, since until then the person can sign in again; awaited last, since the provider may be away.
  const accountDeleted = stores.deleteAccount(uid);
  accountDeleted.catch(() => undefined);
  const erasing = { ...meta, cause: `erase:${person}` };
  // A restored backup may hold paid orders of a person whose key was forgotten later: there is no address left to keep.
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
