import { describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../contracts/events.ts';
import { decisionsOf } from '../given-when-then.fixture.ts';
import { type MailCommand, mailDecider } from './decide-mail.ts';

const { given } = decisionsOf(mailDecider);
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

const claimed = (until: number, mail = 'placed'): DomainEvent => ({
  type: 'MailClaimed',
  data: { mail, since: at(0), until: at(until) },
});
const claim = (now: number, until: number, mail = 'placed'): MailCommand => {
  return { type: 'ClaimMail', mail, since: at(0), now: at(now), until: at(until) };
};
const sent: DomainEvent = { type: 'MailSent', data: { mail: 'placed', messageId: '<1@shop>' } };
const givenUp: DomainEvent = { type: 'MailGivenUp', data: { mail: 'placed', reason: 'too_late' } };
const record: MailCommand = { type: 'RecordMailSent', mail: 'placed', messageId: '<1@shop>' };
const giveUp: MailCommand = { type: 'GiveMailUp', mail: 'placed', reason: 'too_late' };
const nothing = { events: [] };

describe("an order's e-mails", () => {
  it('MAIL1 while an e-mail is claimed, no other process can claim it, but once the claim has ended, another process can', () => {
    expect(given().when(claim(1, 4))).toEqual({ events: [claimed(4)] });
    expect(given(claimed(4)).when(claim(3, 9))).toEqual(nothing);
    expect(given(claimed(4)).when(claim(4, 9))).toEqual({ events: [claimed(9)] });
  });

  it('MAIL1 handling an event claims the e-mail about that event only once, even if the event is redelivered after the claim has ended', () => {
    expect(given(claimed(4)).when(claim(9, 12), [claimed(4)])).toEqual(nothing);
  });

  it('MAIL2 a later claim on an e-mail keeps the time of the event that the e-mail is about', () => {
    const later: MailCommand = { type: 'ClaimMail', mail: 'placed', since: at(5), now: at(5), until: at(9) };
    expect(given(claimed(4)).when(later)).toEqual({ events: [claimed(9)] });
  });

  it('MAIL1 each e-mail of an order is claimed separately', () => {
    expect(given(claimed(4)).when(claim(1, 4, 'paid'))).toEqual({ events: [claimed(4, 'paid')] });
    expect(given(claimed(4), sent).when(claim(9, 12, 'refunded.pi_1'))).toEqual({
      events: [claimed(12, 'refunded.pi_1')],
    });
  });

  it('MAIL5 a correction e-mail is claimed only if the e-mail about the shipment may already have been sent', () => {
    const correct: MailCommand = { ...claim(2, 5, 'withdrawn'), corrects: 'shipped' } as MailCommand;
    const corrected = { events: [claimed(5, 'withdrawn')] };
    const shipped = (until: number) => claimed(until, 'shipped');
    const left: DomainEvent = { type: 'MailSent', data: { mail: 'shipped', messageId: '<2@shop>' } };
    const outdated: DomainEvent = { type: 'MailGivenUp', data: { mail: 'shipped', reason: 'outdated' } };
    expect(given().when(correct)).toEqual(nothing);
    // During the first claim, the mailer only waits until the shipment can't be undone. It may send the e-mail
    // during any later claim.
    expect(given(shipped(1)).when(correct)).toEqual(nothing);
    expect(given(shipped(1), shipped(4)).when(correct)).toEqual(corrected);
    expect(given(shipped(1), shipped(4), left).when(correct)).toEqual(corrected);
    expect(given(shipped(1), shipped(4), outdated).when(correct)).toEqual(nothing);
    // The process with the second claim may have sent the e-mail and died before recording that.
    expect(given(shipped(1), shipped(4), shipped(8), outdated).when(correct)).toEqual(corrected);
  });

  it('MAIL1 an e-mail is recorded as sent or given up only once, and is never claimed again afterwards', () => {
    expect(given(claimed(4)).when(record)).toEqual({ events: [sent] });
    expect(given(claimed(4)).when(giveUp)).toEqual({ events: [givenUp] });
    for (const end of [sent, givenUp]) {
      for (const command of [claim(9, 12), record, giveUp]) {
        expect(given(claimed(4), end).when(command)).toEqual(nothing);
      }
    }
  });

  it('MAIL1 an unclaimed e-mail is never recorded as sent or given up', () => {
    expect(given().when(record)).toEqual(nothing);
    expect(given().when(giveUp)).toEqual(nothing);
  });
});
