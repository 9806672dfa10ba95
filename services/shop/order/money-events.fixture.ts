import type { DomainEvent, EventData } from '../../contracts/events.ts';
import type { RefundStatus } from '../../contracts/order/order-reasons.ts';
import { recordedAt } from '../given-when-then.fixture.ts';
import type { OrderCommand } from './order.ts';
import { customer, later, placed, recorded, started } from './order-events.fixture.ts';
import { projectOrder } from './project-order.ts';

export const PAID = 3_750_100;
export const grant = (
  amount: number,
  more: { cancels?: boolean; seen?: number; grant?: string } = {},
): OrderCommand => ({
  type: 'GrantRefund',
  grant: 'g_1',
  amount,
  reason: 'damaged',
  note: 'The fan is broken.',
  cancels: false,
  ...more,
});
export const granted = (amount: number, id = 'g_1'): DomainEvent => ({
  type: 'RefundGranted',
  data: {
    grant: id,
    intent: 'pi_1',
    amount,
    currency: 'bdt',
    reason: 'damaged',
    person: customer,
    personal: { note: 'The fan is broken.' },
  },
});
export const refund = (
  status: RefundStatus,
  amount = PAID,
  more: { refund?: string; grant?: string | null } = {},
): EventData<'RefundReported'> => ({
  refund: 're_1',
  intent: 'pi_1',
  amount,
  currency: 'bdt',
  status,
  grant: null,
  failure: null,
  ...more,
});
export const reported = (...args: Parameters<typeof refund>): DomainEvent => ({
  type: 'RefundReported',
  data: refund(...args),
});
export const dispute = (moves: 0 | 1 | 2, refundable = false, intent = 'pi_1'): EventData<'DisputeReported'> => ({
  dispute: 'dp_1',
  intent,
  amount: PAID,
  currency: 'bdt',
  status: 'needs_response',
  withdrawn: moves > 0,
  reinstated: moves > 1,
  refundable,
});
export const disputed = (...args: Parameters<typeof dispute>): DomainEvent => ({
  type: 'DisputeReported',
  data: dispute(...args),
});
export const paid = [placed, started('pi_1', 1), recorded];
export const documentOf = (history: readonly DomainEvent[]) =>
  history.reduce<ReturnType<typeof projectOrder>>(
    (before, event, index) => projectOrder(before, recordedAt(index + 1, event, later(0))),
    null,
  );
