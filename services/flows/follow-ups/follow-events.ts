import type { Logger } from 'pino';
import type { EventType, RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName } from '../../contracts/ids.ts';
import type { CommandMeta } from '../../engine/commands/command.ts';
import type { CommandHandler } from '../../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../../runtime/clock.ts';
import { orderDecider } from '../../shop/order/decide-order.ts';
import { productDecider } from '../../shop/product/decide-product.ts';
import { eachBounded } from '../each-bounded.ts';
import { finishPlacement, returnCause } from '../placement/place-order.ts';
import { type ErasureSettings, erasePerson } from './erase-person.ts';

/** Events in flight, also of one stream: what follows one of them does not depend on the others. */
const WIDTH = 16;

/** What leaves an order owing Stripe something. */
const OWING: ReadonlySet<string> = new Set<EventType>(['OrderCancelled', 'RefundDue', 'RefundFailed']);

export interface PolicySettings {
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  /** absent where nobody can be erased: the event that asks for it is then not done */
  readonly erasure?: Omit<ErasureSettings, 'handler'>;
  /** told of orders that owe Stripe something since these events, e.g. the nudge of the order scan */
  readonly onOwing?: (orderIds: readonly string[]) => void;
}

export interface Policies {
  /**
   * Does what must follow each event: idempotent, so that an event may come any number of times (FEED2). Returns the ids
   * of the events whose step failed.
   */
  follow(events: readonly RecordedEvent[]): Promise<Set<string>>;
}

/** What an event leads to on another stream. What waits on Stripe or on time is the order scan's (scan-orders.ts). */
export function createPolicies(settings: PolicySettings): Policies {
  const { logger, onOwing } = settings;
  return {
    async follow(events) {
      const failed = new Set<string>();
      await eachBounded(events, WIDTH, async (event) => {
        try {
          await followEvent(settings, event);
        } catch (error) {
          failed.add(event.id);
          const { id, type, subject } = event;
          logger.error({ err: error, event: id, type, stream: subject }, 'what follows an event failed');
        }
      });
      const owing = events.filter(({ type }) => OWING.has(type));
      if (owing.length > 0) onOwing?.([...new Set(owing.map(({ subject }) => parseStreamName(subject).id))]);
      return failed;
    },
  };
}

async function followEvent(settings: PolicySettings, event: RecordedEvent): Promise<void> {
  switch (event.type) {
    case 'StockReduced':
      return placeReduced(settings, event);
    case 'OrderCancelled':
      return returnStock(settings, event);
    case 'AccountClosed':
      return event.data.reason === 'erased' ? erase(settings, event) : undefined;
    case 'ErasureCompleted':
      // Last of all: every document of the person has been saved anew.
      return erasureOf(settings).stores.wipe();
    default:
      return;
  }
}

/** Opens the order's stream where its placement was cut after the stock was taken (ORD1). */
async function placeReduced(settings: PolicySettings, event: RecordedEvent<'StockReduced'>): Promise<void> {
  const { orderId, productId } = event.data.draft;
  const { state } = await settings.handler.load(orderDecider, orderId);
  if (state.status !== 'absent' && state.draft.productId === productId) return;
  await finishPlacement(settings.handler, event.data, metaOf(settings, event, 'finish-placement'));
}

/** Finishes what a person has asked for by closing the account (ERASE1). */
async function erase(settings: PolicySettings, event: RecordedEvent<'AccountClosed'>): Promise<void> {
  const { handler } = settings;
  const { id: person } = parseStreamName(event.subject);
  await erasePerson({ handler, ...erasureOf(settings) }, person, metaOf(settings, event, 'erase-person'));
}

function erasureOf({ erasure }: PolicySettings): Omit<ErasureSettings, 'handler'> {
  if (!erasure) throw new Error('Nobody can be erased from here.');
  return erasure;
}

/** Gives a cancelled order's stock back, once, also to a product that was removed (ORD5). */
async function returnStock(settings: PolicySettings, event: RecordedEvent<'OrderCancelled'>): Promise<void> {
  const { id: orderId } = parseStreamName(event.subject);
  const { productId, quantity } = event.data;
  const outcome = await settings.handler.execute(
    productDecider,
    productId,
    { type: 'ReturnStock', orderId, quantity },
    { ...metaOf(settings, event, 'return-stock'), cause: returnCause(orderId) },
    { admitted: true },
  );
  if (outcome.kind === 'refused') throw new Error(`Product ${productId} took no stock back: ${outcome.refusal.code}.`);
}

function metaOf({ clock }: PolicySettings, event: RecordedEvent, policy: string): Omit<CommandMeta, 'cause'> {
  return { actor: `system:${policy}`, correlationId: event.correlationid, time: isoTime(clock()) };
}
