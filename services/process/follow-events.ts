import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { EventType, RecordedEvent } from '../contracts/events.ts';
import { parseStreamName } from '../contracts/ids.ts';
import { isMissed } from '../contracts/mail/mails.ts';
import type { CommandMeta } from '../engine/commands/command.ts';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import { type Clock, isoTime } from '../runtime/clock.ts';
import type { OrderMailer } from '../shop/mail/order-mailer-flow.ts';
import { orderDecider } from '../shop/order/decide-order.ts';
import { finishPlacement, returnStock } from '../shop/order/place-order-flow.ts';
import { ERASE_LATE, type Erasures, eraseLate } from '../shop/people/erase-person-flow.ts';

const MAX_IN_FLIGHT = 16;
/** The events after which the shop may have to call Stripe's API for an order, e.g. to make a refund. */
const OWING: ReadonlySet<string> = new Set<EventType>([
  'OrderCancelled',
  'RefundDue',
  'RefundFailed',
  'RefundGranted',
  'RefundReported',
]);

export interface PolicySettings {
  readonly handler: CommandHandler;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error'>;
  /** omitted if this process can't erase personal data, in which case any policy that has to do so fails */
  readonly erasures?: Pick<Erasures, 'follow' | 'wipe'>;
  /** omitted if this process sends no e-mail */
  readonly mailer?: Pick<OrderMailer, 'follow'>;
  /** receives the ids of the orders for which the shop may have to call Stripe's API */
  readonly onOwing?: (orderIds: readonly string[]) => void;
}

/**
 * A policy reacts to an event by executing commands on other streams. Later events wait until the policy is done, so a
 * policy must never wait for a service outside the shop. Work that needs such a service is done elsewhere:
 * scan-orders-flow.ts makes refunds, order-mailer-flow.ts sends e-mails, and erase-person-flow.ts erases personal data.
 */
export function createPolicies(settings: PolicySettings) {
  const { logger, onOwing } = settings;
  return {
    /**
     * Runs each event's policies. The events are handled concurrently. Idempotent (FEED2). Returns the ids of the
     * events whose policies failed or are still running.
     */
    async follow(events: readonly RecordedEvent[]): Promise<Set<string>> {
      const notDone = new Set<string>();
      await pLimit(MAX_IN_FLIGHT).map(events, async (event) => {
        try {
          const [done] = await Promise.all([followEvent(settings, event), settings.mailer?.follow(event)]);
          if (!done) notDone.add(event.id);
        } catch (error) {
          notDone.add(event.id);
          const { id, type, subject } = event;
          logger.error({ err: error, event: id, type, stream: subject }, 'a policy failed; its event will be retried');
        }
      });
      const owing = events.filter(({ type }) => OWING.has(type));
      if (owing.length > 0) onOwing?.([...new Set(owing.map(({ subject }) => parseStreamName(subject).id))]);
      return notDone;
    },
  };
}

/** Returns false while one of the event's policies is still running. The feed then redelivers the event. */
async function followEvent(settings: PolicySettings, event: RecordedEvent): Promise<boolean> {
  switch (event.type) {
    case 'StockReduced':
      await placeReduced(settings, event);
      return true;
    case 'OrderCancelled':
      await returnCancelled(settings, event);
      return true;
    case 'MailGivenUp':
      await noteUnsentMail(settings, event);
      return true;
    case 'OrderPlaced':
    case 'ReviewPosted':
      await eraseLate(settings.handler, event, metaOf(settings, event, 'erase-late'));
      return true;
    case 'AccountClosed':
      return event.data.reason !== 'erased' || isErased(settings, event);
    case 'ErasureCompleted':
      // By now, all of the person's documents have been saved without personal data.
      await erasuresOf(settings).wipe();
      return true;
    case 'PersonalDataErased':
      // If the person's own erasure is already complete, nothing else removes this document's personal data from files.
      if (event.cause.startsWith(ERASE_LATE)) await erasuresOf(settings).wipe();
      return true;
    default:
      return true;
  }
}

/** Completes a placement that was interrupted after the stock was taken (ORD1). */
async function placeReduced(settings: PolicySettings, event: RecordedEvent<'StockReduced'>): Promise<void> {
  const { orderId, productId } = event.data.draft;
  const { state } = await settings.handler.load(orderDecider, orderId);
  if (state.status !== 'absent' && state.draft.productId === productId) return;
  await finishPlacement(settings.handler, event.data, metaOf(settings, event, 'finish-placement'));
}

/**
 * Records on the order's stream that the shop didn't send an e-mail that the customer should have received. This record
 * is itself a `MailGivenUp` event, so this function ignores `MailGivenUp` events from order streams.
 */
async function noteUnsentMail(settings: PolicySettings, event: RecordedEvent<'MailGivenUp'>): Promise<void> {
  const { kind, id: orderId } = parseStreamName(event.subject);
  const { mail, reason } = event.data;
  if (kind !== 'mail' || !isMissed(reason)) return;
  const meta = { ...metaOf(settings, event, 'note-unsent-mail'), cause: `unsent:${mail}` };
  await settings.handler.execute(orderDecider, orderId, { type: 'NoteUnsentMail', mail, reason }, meta, {
    bypassLimits: true,
  });
}

function isErased(settings: PolicySettings, event: RecordedEvent<'AccountClosed'>): Promise<boolean> {
  const { id: person } = parseStreamName(event.subject);
  return erasuresOf(settings).follow(person, metaOf(settings, event, 'erase-person'));
}

function erasuresOf({ erasures }: PolicySettings): Pick<Erasures, 'follow' | 'wipe'> {
  if (!erasures) throw new Error('This process cannot erase anyone.');
  return erasures;
}

/** Puts a cancelled order's pieces back in stock exactly once, even if the product has been removed (ORD5). */
async function returnCancelled(settings: PolicySettings, event: RecordedEvent<'OrderCancelled'>): Promise<void> {
  const { id: orderId } = parseStreamName(event.subject);
  const { productId, quantity } = event.data;
  const meta = metaOf(settings, event, 'return-stock');
  const outcome = await returnStock(settings.handler, { orderId, productId, quantity }, meta);
  if (outcome.kind === 'refused') throw new Error(`Could not restock product ${productId}: ${outcome.refusal.code}.`);
}

function metaOf({ clock }: PolicySettings, event: RecordedEvent, policy: string): Omit<CommandMeta, 'cause'> {
  return { actor: `system:${policy}`, correlationId: event.correlationid, time: isoTime(clock()) };
}
