import type { OrderDocument } from '../../contracts/documents.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import type { ReadModels } from '../../engine/read-models/read-models.ts';
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
}

const MAX_IN_FLIGHT = 16;
/** No full queue may cut an erasure (CMD5). */
const ADMITTED = { admitted: true } as const;

/** Erases a person whose account was closed for it (ERASE1). Idempotent. Orders stay, without a name. */
export async function erasePerson(
  { handler, readModels, stores }: ErasureSettings,
  person: string,
  meta: Omit<CommandMeta, 'cause'>,
): Promise<void> {
  const { state } = await handler.load(userDecider, person);
  if (state.status !== 'closed' || state.reason !== 'erased') return;
  // Started first, since until then the person can sign in again; awaited last, since the provider may be away.
  const accountDeleted = stores.deleteAccount(state.uid);
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
