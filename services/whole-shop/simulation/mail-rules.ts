import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName } from '../../contracts/ids.ts';
import { shipmentMail } from './order-rules.ts';
import { hasExactClocks, type Plan } from './plan.ts';
import type { Providers } from './simulated-shop.ts';
import { TARGETS } from './world.ts';

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;

/** An e-mail may be on its way for this long after the shop has read the address, in ms. */
const ON_ITS_WAY_MS = 90_000;
/** How long after a single failure the shop may wait before it sends the next e-mail, in ms. */
const LONGEST_FIRST_PAUSE_MS = 3_000;
/** Within this time after its claim, an e-mail that doesn't have to wait is sent, in ms. */
const SENT_WITHIN_MS = 15_000;

/** Returns one sentence for each e-mail that was claimed twice, sent to a wrong address, or sent although it was outdated. */
export function checkMails(streams: Streams, { mail, identity }: Providers, plan: Plan): string[] {
  const exact = hasExactClocks(plan);
  const prompt = exact && isPrompt(plan);
  return [
    ...(exact ? overlappingClaims(streams) : []),
    ...wrongAddresses(streams, { mail, identity }),
    ...(prompt ? outdatedMails(streams, mail) : []),
    ...(prompt && plan.shop === 'embedded' ? longPauses(streams, mail) : []),
  ];
}

/** Returns true if nothing delays the shop's reads, and no process stops for a while. */
function isPrompt({ links, disasters }: Plan): boolean {
  const isSlow = TARGETS.some((to) => to !== 'api' && to !== 'stripe' && to !== 'kafka' && links[to].slow > 0);
  const isLossy = (['log', 'documents', 'keys', 'identity', 'snapshots'] as const).some(
    (to) => links[to].lost + links[to].lostAnswer + links[to].crash > 0,
  );
  const { pause, kill } = disasters;
  return (
    !isSlow &&
    !isLossy &&
    links.mail.crash === 0 &&
    pause + kill + disasters['cut target'] + disasters['cut process'] === 0
  );
}

/** Only one process at a time may hold the claim on an e-mail (MAIL1). */
function overlappingClaims(streams: Streams): string[] {
  return mailEvents(streams).flatMap(({ orderId, events }) => {
    const until = new Map<string, string>();
    return events.flatMap((event) => {
      if (event.type !== 'MailClaimed') return [];
      const { mail } = event.data;
      const last = until.get(mail);
      until.set(mail, event.data.until);
      return last !== undefined && event.time < last
        ? [`MAIL1 two processes claimed ${mail} of order ${orderId} at once`]
        : [];
    });
  });
}

/** An e-mail goes to an address that the account which placed the order has, or had a moment ago (MAIL3). */
function wrongAddresses(streams: Streams, { mail, identity }: Pick<Providers, 'mail' | 'identity'>): string[] {
  const uids = new Map<string, string>();
  const customers = new Map<string, string>();
  for (const [stream, [first]] of streams) {
    const { id } = parseStreamName(stream);
    if (first?.type === 'UserRegistered') uids.set(id, first.data.uid);
    if (first?.type === 'OrderPlaced') customers.set(id, first.data.person);
  }
  return mail.accepted.flatMap(({ to, messageId, at }) => {
    const { name, orderId } = namesOf(messageId);
    const uid = uids.get(customers.get(orderId) ?? '') ?? '';
    const had = identity.emailsOf(uid).some(({ email, until }) => email === to && until > at - ON_ITS_WAY_MS);
    return had ? [] : [`MAIL3 ${name} of order ${orderId} went to an address that its account no longer has`];
  });
}

/** No e-mail says that an order is on its way after the shipment was withdrawn (MAIL2). */
function outdatedMails(streams: Streams, { accepted }: Providers['mail']): string[] {
  const withdrawn = new Map<string, number>();
  for (const [stream, events] of streams) {
    for (const event of events) {
      if (event.type !== 'ShipmentWithdrawn') continue;
      const mail = shipmentMail(event.data.shipment);
      withdrawn.set(`${mail} ${parseStreamName(stream).id}`, Date.parse(event.time));
    }
  }
  return accepted.flatMap(({ messageId, at }) => {
    const { name, orderId } = namesOf(messageId);
    const undone = withdrawn.get(`${name} ${orderId}`);
    return undone !== undefined && undone < at - 1_500
      ? [`MAIL2 ${name} of order ${orderId} was sent after the shipment was withdrawn`]
      : [];
  });
}

/**
 * After a single failure, the process soon sends the next e-mail, however many failures there were before its last
 * success (MAIL4). Shipments and corrections wait, so only the other e-mails are looked at.
 */
function longPauses(streams: Streams, { attempts }: Providers['mail']): string[] {
  const claims = mailEvents(streams).flatMap(({ orderId, events }) =>
    events.flatMap((event) =>
      event.type === 'MailClaimed' && /^(placed|paid|cancelled|expired)$/.test(event.data.mail)
        ? [{ name: `${event.data.mail}.${orderId}`, at: Date.parse(event.time), events }]
        : [],
    ),
  );
  const ended = [...attempts].sort((one, other) => one.to - other.to);
  let failures = 0;
  return ended.flatMap(({ outcome, to: at }, index) => {
    failures = outcome === 'lost' ? failures + 1 : outcome === 'sent' ? 0 : failures;
    if (outcome !== 'lost' || failures !== 1) return [];
    const nextFailure = ended.slice(index + 1).find((one) => one.outcome === 'lost')?.to ?? Number.POSITIVE_INFINITY;
    const late = claims.find((claim) => {
      const isDue =
        claim.at > at + LONGEST_FIRST_PAUSE_MS && claim.at + SENT_WITHIN_MS < Math.min(nextFailure, at + 60_000);
      const isTried = attempts.some(
        ({ messageId, from }) => messageId.includes(claim.name) && from < claim.at + SENT_WITHIN_MS,
      );
      return isDue && !isTried && !wasGivenUp(claim.events, claim.at + SENT_WITHIN_MS);
    });
    return late ? [`MAIL4 ${late.name} was not sent in time, although the mail server had failed only once`] : [];
  });
}

const wasGivenUp = (events: readonly RecordedEvent[], until: number) =>
  events.some(({ type, time }) => type === 'MailGivenUp' && Date.parse(time) < until);

function mailEvents(streams: Streams) {
  return [...streams].flatMap(([stream, events]) => {
    const { kind, id: orderId } = parseStreamName(stream);
    return kind === 'mail' ? [{ orderId, events }] : [];
  });
}

/** Returns the e-mail's name and its order's id. The Message-ID is `<name.orderId@host>`. */
function namesOf(messageId: string): { name: string; orderId: string } {
  const [, name = '', orderId = ''] = /^<(.+)\.([0-9a-f]+)@/.exec(messageId) ?? [];
  return { name, orderId };
}
