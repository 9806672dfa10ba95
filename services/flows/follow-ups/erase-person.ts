import type { OrderDocument } from '../../contracts/documents.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { reviewDecider } from '../../shop/review/decide-review.ts';
import { userDecider } from '../../shop/user/decide-user.ts';
import { ordersOf, reviewsOf } from '../documents-of-person.ts';
import { eachBounded } from '../each-bounded.ts';

/** Where something of a person is kept beside the log and the documents. Each forgets any number of times. */
export interface PersonalStores {
  /** the key that opens what the log holds of them */
  forgetKey(person: string): Promise<void>;
  /** the account at the identity provider */
  deleteAccount(uid: string): Promise<void>;
  /** name and e-mail at the payment provider, as far as it lets go of them; the payments stay */
  forgetPayers(intents: readonly string[]): Promise<void>;
  /** what a disk still holds of what was overwritten */
  wipe(): Promise<void>;
}

export interface ErasureSettings {
  readonly handler: CommandHandler;
  readonly readModels: Pick<ReadModels, 'listOrders' | 'listReviews'>;
  readonly stores: PersonalStores;
}

/** Orders at once: their appends share a transaction. */
const WIDTH = 16;
/** What an erasure appends is never turned away: nobody would ask for it again. */
const ADMITTED = { admitted: true } as const;

/**
 * Leaves nothing of a person whose account was closed for it (ERASE1): any number of times, also after it was cut. Sums, products
 * and times of orders stay, without a name.
 */
export async function erasePerson(
  { handler, readModels, stores }: ErasureSettings,
  person: string,
  meta: Omit<CommandMeta, 'cause'>,
): Promise<void> {
  const { state } = await handler.load(userDecider, person);
  if (state.status !== 'closed' || state.reason !== 'erased') return;
  // Begun first, since until it is gone somebody may sign in with it and begin anew; awaited last, since the provider may be away.
  const accountDeleted = stores.deleteAccount(state.uid);
  accountDeleted.catch(() => undefined);
  const orders = await ordersOf(readModels, person);
  for (const { id } of orders.filter(({ status }) => status === 'unpaid')) {
    // One that was paid meanwhile is refused, and stays.
    await handler.execute(
      orderDecider,
      id,
      { type: 'CancelOrder' },
      { ...meta, cause: `erase-cancel:${id}` },
      ADMITTED,
    );
  }
  await stores.forgetKey(person);
  const erase = { type: 'ErasePersonalData' } as const;
  const erasing = { ...meta, cause: `erase:${person}` };
  await eachBounded(orders, WIDTH, async ({ id }) => {
    await handler.execute(orderDecider, id, erase, erasing, ADMITTED);
  });
  for (const { id } of await reviewsOf(readModels, person)) {
    await handler.execute(reviewDecider, id, erase, erasing, ADMITTED);
  }
  await stores.forgetPayers(await intentsOf(handler, orders));
  await accountDeleted;
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
