import type { RecordedEvent } from '../../contracts/events.ts';
import { parseStreamName, type StreamName } from '../../contracts/ids.ts';
import { grouped } from './grouped.ts';
import { shipmentMail } from './order-rules.ts';
import type { MailAttempt } from './simulated-mail.ts';
import type { Site } from './site.ts';
import type { Trouble, World } from './world.ts';

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
  'dashboard refund',
  'dispute',
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
  return claimedMails(streams).flatMap(({ mail, orderId, claims }) =>
    claims
      .filter(({ time }, index) => time < (claims[index - 1]?.data.until ?? ''))
      .map(() => `MAIL1 two processes claimed ${mail} of order ${orderId} at once`),
  );
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
      withdrawn.set(keyOf({ name: mail, orderId: parseStreamName(stream).id }), durableAt(world, event));
    }
  }
  return providers.mail.attempts.flatMap(({ messageId, from }) => {
    const { name, orderId } = namesOf(messageId);
    const undone = withdrawn.get(keyOf({ name, orderId })) ?? Number.POSITIVE_INFINITY;
    return undone + 1_500 < from && wasCalm(world, from, from)
      ? [`MAIL2 ${name} of order ${orderId} was sent after the shipment was withdrawn`]
      : [];
  });
}

/**
 * An e-mail is attempted soon after its first claim, unless the mail server has just failed (MAIL4). Shipments and
 * corrections wait, so only the other e-mails are looked at.
 */
function lateMails(streams: Streams, { world, providers }: Context): string[] {
  const { attempts } = providers.mail;
  const ofProcesses = [...grouped(attempts, ({ process }) => process).values()];
  const ofMails = grouped(attempts, ({ messageId }) => keyOf(namesOf(messageId)));
  return claimedMails(streams).flatMap(({ mail, orderId, claims: [first], givenUp }) => {
    if (first === undefined || /^(shipped|withdrawn)/.test(mail)) return [];
    const from = durableAt(world, first);
    const to = from + PROMPT_MS;
    const isDone =
      ofMails.get(keyOf({ name: mail, orderId }))?.some((attempt) => attempt.from <= to) ||
      (givenUp !== undefined && durableAt(world, givenUp) <= to);
    const maySend = ofProcesses.every((made) => !isBusy(made, from, to) && !isPaused(made, from, to));
    return !isDone && to < world.time.now() && maySend && wasCalm(world, from, to)
      ? [`MAIL4 ${mail} of order ${orderId} waited although the mail server could be reached`]
      : [];
  });
}

/** Returns true if nothing that affects e-mails went wrong between the two times, or shortly before. */
const wasCalm = (world: World, from: number, to: number) =>
  world.wasCalm(from - TROUBLE_MS, to, (what) => !HARMLESS.includes(what));

const durableAt = (world: World, { id }: RecordedEvent) => world.durableAt.get(id) ?? 0;

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

/** Returns each e-mail with its claims, oldest first, and the event that gave it up, if there is one. */
function claimedMails(streams: Streams) {
  return [...streams].flatMap(([stream, events]) => {
    const { kind, id: orderId } = parseStreamName(stream);
    if (kind !== 'mail') return [];
    const claimed = events.filter((event) => event.type === 'MailClaimed');
    return [...grouped(claimed, ({ data }) => data.mail)].map(([mail, claims]) => {
      const givenUp = events.find(({ type, data }) => type === 'MailGivenUp' && data.mail === mail);
      return { mail, orderId, claims, givenUp };
    });
  });
}

const keyOf = ({ name, orderId }: ReturnType<typeof namesOf>) => `${name} ${orderId}`;

/** Returns the e-mail's name and its order's id. The Message-ID is `<name.orderId@host>`. */
function namesOf(messageId: string): { name: string; orderId: string } {
  const [, name = '', orderId = ''] = /^<(.+)\.([0-9a-f]+)@/.exec(messageId) ?? [];
  return { name, orderId };
}
