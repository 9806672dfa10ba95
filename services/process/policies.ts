import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { EventType, RecordedEvent } from '../contracts/events.ts';
import { parseStreamName } from '../contracts/ids.ts';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import { type Policies, runPolicies } from '../engine/projector/policies.ts';
import { type Clock, isoTime } from '../runtime/clock.ts';
import { mailPolicies } from '../shop/mail/mail-policies-flow.ts';
import type { OrderMailer } from '../shop/mail/order-mailer-flow.ts';
import { orderPolicies } from '../shop/order/order-policies-flow.ts';
import { type ErasureContext, peoplePolicies } from '../shop/people/people-policies-flow.ts';

const POLICIES: readonly Policies<ErasureContext>[] = [orderPolicies, mailPolicies, peoplePolicies];

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
  readonly erasures?: ErasureContext['erasures'];
  /** omitted if this process sends no e-mail */
  readonly mailer?: Pick<OrderMailer, 'follow'>;
  /** receives the ids of the orders for which the shop may have to call Stripe's API */
  readonly onOwing?: (orderIds: readonly string[]) => void;
}

/**
 * Joins the policies of all rooms. Work that needs a service outside the shop is done elsewhere:
 * scan-orders-flow.ts makes refunds, order-mailer-flow.ts sends e-mails, and erase-person-flow.ts erases personal data.
 */
export function createPolicies(settings: PolicySettings) {
  const { handler, clock, logger, erasures, onOwing } = settings;
  const context: ErasureContext = {
    handler,
    erasures,
    metaOf: (event, step) => ({
      actor: `system:${step}`,
      correlationId: event.correlationid,
      time: isoTime(clock()),
    }),
  };
  return {
    /**
     * Runs each event's policies. The events are handled concurrently. Idempotent (FEED2). Returns the ids of the
     * events whose policies failed or are still running.
     */
    async run(events: readonly RecordedEvent[]): Promise<Set<string>> {
      const notDone = new Set<string>();
      await pLimit(MAX_IN_FLIGHT).map(events, async (event) => {
        try {
          const [done] = await Promise.all([runPolicies(POLICIES, context, event), settings.mailer?.follow(event)]);
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
