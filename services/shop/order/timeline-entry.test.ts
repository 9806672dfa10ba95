import { expect, it } from 'vitest';
import type { EventData, RecordedEvent } from '../../contracts/events.ts';
import { timelineEntry } from './timeline-entry.ts';

type Dispute = EventData<'DisputeReported'>;
const OPEN: Dispute = {
  ...{ dispute: 'dp_1', intent: 'pi_1', amount: 50_000, currency: 'bdt', status: 'needs_response' },
  ...{ withdrawn: false, reinstated: false, refundable: true },
};

it.each<[string, Partial<Dispute>, string]>([
  ['that the bank asks about it', { status: 'warning_needs_response' }, 'dispute_changed'],
  ['that the bank took it back', { withdrawn: true }, 'dispute_withdrawn'],
  ['that the bank is checking it', { status: 'under_review', withdrawn: true }, 'dispute_changed'],
  ['that the bank decided for the customer', { status: 'lost', withdrawn: true }, 'dispute_lost'],
  ['that the bank decided for the customer at once', { status: 'prevented', withdrawn: true }, 'dispute_lost'],
  ['that the bank checks it again', { status: 'appeal_under_review', withdrawn: true }, 'dispute_changed'],
  ['that the shop has it again', { status: 'won', withdrawn: true, reinstated: true }, 'dispute_reinstated'],
  ['that an inquiry has ended', { status: 'warning_closed' }, 'dispute_ended'],
  ['that the shop won, before it has the money again', { status: 'won', withdrawn: true }, 'dispute_ended'],
])('PAY9 the timeline of an order with a disputed payment says %s', (_, change, type) => {
  const event = { type: 'DisputeReported', data: { ...OPEN, ...change }, time: '2026-01-01T10:00:00.000Z' };
  expect(timelineEntry(event as RecordedEvent)).toMatchObject({ type, amount: 500 });
});
