import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import type { Projecting } from '../engine/projector/follow-feed.ts';
import type { OrderMailer } from '../flows/mail/order-mailer.ts';
import type { Payments } from '../flows/payments/payments.ts';
import type { OrderScan } from '../flows/scans/scan-orders.ts';
import type { Readiness } from '../http/dependencies.ts';
import type { LiveGateway } from '../live/gateway.ts';
import type { Clock } from '../runtime/clock.ts';

export type Measurements = ReturnType<typeof createMeasurements>;

export function createMeasurements() {
  const registry = new Registry();
  const parts: (() => Promise<Readiness>)[] = [];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    async readiness(): Promise<Readiness> {
      const reports = await Promise.all(parts.map(readSafely));
      return {
        ready: reports.every(({ ready }) => ready),
        checks: Object.assign({}, ...reports.map(({ checks }) => checks)) as Readiness['checks'],
      };
    },
    gauge(name: string, help: string, read: () => number | Promise<number>): void {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          try {
            gauge.set(await read());
          } catch {
            gauge.set(Number.NaN);
          }
        },
      });
    },
    /** A part that is not ready, or whose report throws, makes the process not ready. */
    report: (part: () => Promise<Readiness>): void => void parts.push(part),
  };
}

async function readSafely(part: () => Promise<Readiness>): Promise<Readiness> {
  try {
    return await part();
  } catch (error) {
    return { ready: false, checks: { error: error instanceof Error ? error.message : String(error) } };
  }
}

export function measureCommands(measurements: Measurements, handler: CommandHandler): void {
  measurements.gauge('shop_commands_pending', 'Commands waiting or being decided.', handler.pending);
}

/** Failed refunds leave the process ready: a person handles them. */
export function measureRefunds(measurements: Measurements, scan: Pick<OrderScan, 'failedRefunds'>): void {
  measurements.gauge(
    'shop_refunds_failed',
    'Refunds that failed and are still due.',
    () => scan.failedRefunds().length,
  );
  measurements.report(async () => ({ ready: true, checks: { failedRefunds: scan.failedRefunds() } }));
}

/** Like failed refunds, money that no order tells of is for a person to handle. */
export function measureUnrecordedMoney(
  measurements: Measurements,
  { unrecordedMoney }: Pick<Payments, 'unrecordedMoney'>,
): void {
  measurements.gauge(
    'shop_money_unrecorded',
    'Payments for orders that the log lacks, and refunds that no order owes, seen since this process began.',
    () => unrecordedMoney().length,
  );
  measurements.report(async () => ({ ready: true, checks: { unrecordedMoney: unrecordedMoney() } }));
}

/** A mail server that is away makes no process unready. */
export function measureMails(measurements: Measurements, { counts }: Pick<OrderMailer, 'counts'>): void {
  const { gauge } = measurements;
  gauge('shop_mails_sent', 'Mails that the mail server has taken since this process began.', () => counts().sent);
  gauge('shop_mails_waiting', 'Mails that wait to be sent, or to be tried again.', () => counts().waiting);
  gauge('shop_mails_given_up', 'Mails given up since this process began.', () => counts().givenUp);
}

/** Ready while people can sign in and pay at the local providers of a demo (AUTH4). */
export function measureDemo(measurements: Measurements, { isReady }: { readonly isReady: () => boolean }): void {
  measurements.report(async () => ({ ready: isReady(), checks: { demoProviders: isReady() } }));
}

/** Ready while pushes flow (LIVE5). */
export function measureLive(measurements: Measurements, gateway: LiveGateway): void {
  measurements.gauge('shop_live_sockets', 'Live connections.', gateway.sockets);
  measurements.report(async () => ({ ready: gateway.live(), checks: { live: gateway.live() } }));
}

/** A backlog that hasn't moved for this long makes the process not ready, in ms. */
const STALLED_AFTER_MS = 30_000;

/**
 * A feed brings a failed event again within 30 s. If a stream hasn't failed here again for this long, in ms, the feed brings its events to
 * another process, which shows the stream instead.
 */
const ELSEWHERE_AFTER_MS = 120_000;

/** Ready while the backlog is being worked on and no stream has stopped (PRJ4). */
export function measureProjecting(measurements: Measurements, projecting: Projecting, clock: Clock): void {
  const { projector, consumer, handledAt } = projecting;
  const { gauge } = measurements;
  const stoppedHere = () => projector.stoppedStreams().filter(({ triedAt }) => clock() - triedAt <= ELSEWHERE_AFTER_MS);
  gauge('shop_projection_lag_events', 'Appended events that the projector has not handled yet.', consumer.lag);
  gauge('shop_projection_waiting_events', 'Events that failed and wait for their next try.', consumer.waiting);
  gauge('shop_streams_stopped', 'Streams that cannot be projected.', () => stoppedHere().length);
  let emptyAt = clock();

  measurements.report(async () => {
    const stopped = stoppedHere();
    const lag = await consumer.lag();
    if (lag === 0) emptyAt = clock();
    const moving = clock() - Math.max(emptyAt, handledAt()) < STALLED_AFTER_MS;
    return {
      ready: moving && stopped.length === 0,
      checks: {
        projectionMoving: moving,
        projectionLagEvents: lag,
        projectionWaitingEvents: await consumer.waiting(),
        stoppedStreams: stopped.map(({ stream, since, attempts }) => ({ stream, since, attempts })),
      },
    };
  });
}
