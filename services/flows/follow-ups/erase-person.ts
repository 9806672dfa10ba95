import type { Logger } from 'pino';
import type { OrderDocument } from '../../contracts/documents.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { endedWithin, scheduleTimer } from '../../runtime/schedule.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { reviewDecider } from '../../shop/review/review.ts';
import { userDecider } from '../../shop/user/decide-user.ts';
import { ordersOf, reviewsOf } from '../documents-of-person.ts';
import { eachBounded } from '../each-bounded.ts';

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
  readonly readModels: Pick<ReadModels, 'listOrders' | 'listReviews'>;
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
const ADMITTED = { admitted: true } as const;

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
      if (state.status !== 'closed' || state.reason !== 'erased' || state.completed) return true;
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

interface Erasing {
  readonly person: string;
  /** of their account at the provider */
  readonly uid: string;
  readonly isStopped: () => boolean;
}

/** Idempotent. Orders stay, without a name. */
async function erasePerson(
  { handler, readModels, stores }: ErasureSettings,
  { person, uid, isStopped }: Erasing,
  meta: Meta,
): Promise<void> {
  // Started first, since until then the person can sign in again; awaited last, since the provider may be away.
  const accountDeleted = stores.deleteAccount(uid);
  accountDeleted.catch(() => undefined);
  const orders = await ordersOf(readModels, person);
  for (const { id } of orders.filter(({ status }) => status === 'unpaid')) {
    // Refused, and kept, where the order was paid meanwhile.
    const cancelling = { ...meta, cause: `erase-cancel:${id}` };
    await handler.execute(orderDecider, id, { type: 'CancelOrder' }, cancelling, ADMITTED);
  }
  await stores.forgetKey(person);
  const erase = { type: 'ErasePersonalData' } as const;
  const erasing = { ...meta, cause: `erase:${person}` };
  await eachBounded(orders, MAX_IN_FLIGHT, async ({ id }) => {
    await handler.execute(orderDecider, id, erase, erasing, ADMITTED);
  });
  for (const { id } of await reviewsOf(readModels, person)) {
    await handler.execute(reviewDecider, id, erase, erasing, ADMITTED);
  }
  await stores.forgetPayers(await intentsOf(handler, orders));
  await accountDeleted;
  if (isStopped()) return;
  await handler.execute(userDecider, person, { type: 'CompleteErasure' }, erasing, ADMITTED);
}

async function intentsOf(handler: CommandHandler, orders: readonly OrderDocument[]): Promise<string[]> {
  const intents: string[] = [];
  for (const { id } of orders) {
    const { state } = await handler.load(orderDecider, id);
    if (state.status !== 'absent') intents.push(...state.intents.map(({ intent }) => intent));
  }
  return intents;
}
