import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName } from '../../contracts/ids.ts';
import { grouped } from './grouped.ts';
import { shipmentMail } from './order-rules.ts';
import type { MailAttempt } from './simulated-mail.ts';
import type { Site } from './site.ts';
import type { Trouble } from './world.ts';

type Streams = ReadonlyMap<StreamName, readonly RecordedEvent[]>;
type Context = Pick<Site, 'world' | 'providers'>;

/** An e-mail may be on its way for this long after the shop has read the address, in ms. */
const ON_ITS_WAY_MS = 90_000;
/** A fault or disaster has no more effects after this time, in ms. */
const TROUBLE_MS = 5 * 60_000;
/** Faults and disasters that can't delay an e-mail, or make it outdated, before the shop attempts to send it. */
const HARMLESS: readonly Trouble[] = [
  'mail',
  'api',
  'stripe',
  'redis',
  'live',
  'webhook trouble',
  'refund trouble',
  'stripe fails',
  'cancelled intent',
  'redis trouble',
];
/** Within this time after its claim, an e-mail that doesn't have to wait is attempted, in ms. */
const PROMPT_MS = 10_000;
/** The longest pause after a failure, in ms. It doubles with each failure in a row, up to `LONGEST_PAUSE_MS`. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Returns one sentence for each e-mail that was claimed twice, sent to a wrong address, sent although it was outdated,
 * or sent too late.
 */
export function checkMails(streams: Streams, context: Context): string[] {
  return [
    ...overlappingClaims(streams),
    ...wrongAddresses(streams, context),
    ...outdatedMails(streams, context),
    ...lateMails(streams, context),
  ];
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
function wrongAddresses(streams: Streams, { providers: { mail, identity } }: Context): string[] {
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
function outdatedMails(streams: Streams, { world, providers }: Context): string[] {
  const withdrawn = new Map<string, number>();
  for (const [stream, events] of streams) {
    for (const event of events) {
      if (event.type !== 'ShipmentWithdrawn') continue;
      const mail = shipmentMail(event.data.shipment);
      withdrawn.set(`${mail} ${parseStreamName(stream).id}`, world.durableAt.get(event.id) ?? 0);
    }
  }
  return providers.mail.attempts.flatMap(({ messageId, from }) => {
    const { name, orderId } = namesOf(messageId);
    const undone = withdrawn.get(`${name} ${orderId}`) ?? Number.POSITIVE_INFINITY;
    return undone + 1_500 < from && world.wasCalm(from - TROUBLE_MS, from, (what) => !HARMLESS.includes(what))
      ? [`MAIL2 ${name} of order ${orderId} was sent after the shipment was withdrawn`]
      : [];
  });
}

/**
 * An e-mail is attempted soon after its first claim, unless the mail server has just failed (MAIL4). Shipments and
 * corrections wait, so only the other e-mails are looked at.
 */
function lateMails(streams: Streams, { world, providers: { mail } }: Context): string[] {
  const ofProcesses = [...grouped(mail.attempts, ({ process }) => process).values()];
  const tries = grouped(mail.attempts, ({ messageId }) => messageId.slice(1).split('@')[0]);
  const seen = new Set<string>();
  return mailEvents(streams).flatMap(({ orderId, events }) =>
    events.flatMap(({ id, type, data }) => {
      if (type !== 'MailClaimed' || /^(shipped|withdrawn)/.test(data.mail)) return [];
      const name = `${data.mail}.${orderId}`;
      if (seen.has(name)) return [];
      seen.add(name);
      const from = world.durableAt.get(id) ?? 0;
      const to = from + PROMPT_MS;
      const isDone =
        tries.get(name)?.some((attempt) => attempt.from <= to) || events.some((one) => isGivenUp(one, data.mail));
      const maySend = ofProcesses.every((attempts) => !isBusy(attempts, from, to) && !isPaused(attempts, from, to));
      const wasCalm = () => world.wasCalm(from - TROUBLE_MS, to, (what) => !HARMLESS.includes(what));
      return !isDone && to < world.time.now() && maySend && wasCalm()
        ? [`MAIL4 ${data.mail} of order ${orderId} waited although the mail server could be reached`]
        : [];
    }),
  );
}

const isGivenUp = ({ type, data }: RecordedEvent, mail: string) => type === 'MailGivenUp' && data.mail === mail;

/** Returns true if one of the attempts took long enough to keep other e-mails waiting between the two times. */
const isBusy = (attempts: readonly MailAttempt[], from: number, to: number) =>
  attempts.some((one) => one.from <= to && one.to >= from && one.to - one.from > PROMPT_MS / 2);

/** Returns true if the process that made the attempts may have paused at any moment between the two times. */
function isPaused(attempts: readonly MailAttempt[], from: number, to: number): boolean {
  let [failures, pausedUntil] = [0, 0];
  const ended = attempts.filter((one) => one.to <= to).sort((one, other) => one.to - other.to);
  for (const { outcome, to: at } of ended) {
    if (outcome === 'sent') failures = 0;
    if (outcome !== 'lost') continue;
    failures += 1;
    pausedUntil = at + Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** (failures - 1));
  }
  return pausedUntil >= from;
}

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
