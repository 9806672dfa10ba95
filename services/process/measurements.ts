import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { CommandHandler } from '../engine/commands/command-handler.ts';
import type { Projecting } from '../engine/projector/follow-feed.ts';
import type { Readiness } from '../http/dependencies.ts';
import type { LiveGateway } from '../live/gateway.ts';
import type { Clock } from '../runtime/clock.ts';
import type { StripeReader } from '../shop/ledger/stripe-reader-flow.ts';
import type { OrderMailer } from '../shop/mail/order-mailer-flow.ts';
import type { OrderScan } from '../shop/payment/scan-orders-flow.ts';

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
    /**
     * Adds the readiness report of one part of the process. The process is ready only if every report says that its
     * part is ready, and none of the reports throws.
     */
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
  measurements.gauge('shop_commands_pending', 'Commands that are waiting or being decided.', handler.pending);
}

/** Failed refunds don't make the process unready. They are retried, and a person resolves those that keep failing. */
export function measureRefunds(measurements: Measurements, scan: Pick<OrderScan, 'failedRefunds'>): void {
  measurements.gauge(
    'shop_refunds_failed',
    'Refunds that failed and are still due.',
    () => scan.failedRefunds().length,
  );
  measurements.report(async () => ({ ready: true, checks: { failedRefunds: scan.failedRefunds() } }));
}

/**
 * Neither a permission that the secret key lacks nor an event that it doesn't send makes the process unready: either of the
 * two ways is enough to learn what happened, and only a person can change the account (LEDGER3).
 */
export function measureReader(
  measurements: Measurements,
  { lackedPermissions, unsentEvents }: Pick<StripeReader, 'lackedPermissions' | 'unsentEvents'>,
): void {
  measurements.report(async () => {
    return {
      ready: true,
      checks: { stripePermissionsLacked: lackedPermissions(), stripeEventsUnsent: unsentEvents() },
    };
  });
}

/** An unavailable mail server doesn't make the process unready. */
export function measureMails(measurements: Measurements, { counts }: Pick<OrderMailer, 'counts'>): void {
  const { gauge } = measurements;
  gauge('shop_mails_sent', 'Mails that the mail server has accepted since this process started.', () => counts().sent);
  gauge('shop_mails_waiting', 'Mails waiting to be sent or retried.', () => counts().waiting);
  gauge('shop_mails_given_up', 'Mails given up since this process started.', () => counts().givenUp);
}

/** The process is ready only while the demo's local providers for sign-in and payment are ready (AUTH4). */
export function measureDemo(measurements: Measurements, { isReady }: { readonly isReady: () => boolean }): void {
  measurements.report(async () => ({ ready: isReady(), checks: { demoProviders: isReady() } }));
}

/** The process is ready only while the live gateway receives pushes (LIVE5). */
export function measureLive(measurements: Measurements, gateway: LiveGateway): void {
  measurements.gauge('shop_live_sockets', 'Live connections.', gateway.sockets);
  measurements.report(async () => ({ ready: gateway.live(), checks: { live: gateway.live() } }));
}

/** If the projector makes no progress on its backlog for this long, in ms, the process is no longer ready. */
const STALLED_AFTER_MS = 30_000;

/**
 * If a stopped stream hasn't failed in this process for this long, in ms, the process no longer reports it. A feed
 * redelivers a failed event within 30 s, so by then another process must have taken over the stream and reports it
 * instead.
 */
const ELSEWHERE_AFTER_MS = 120_000;

/** The process is ready only while it makes progress on its backlog and no stream has stopped in this process (PRJ4). */
export function measureProjecting(measurements: Measurements, projecting: Projecting, clock: Clock): void {
  const { projector, consumer, handledAt } = projecting;
  const { gauge } = measurements;
  const stoppedHere = () => projector.stoppedStreams().filter(({ triedAt }) => clock() - triedAt <= ELSEWHERE_AFTER_MS);
  gauge('shop_projection_lag_events', 'Appended events that the projector has not handled yet.', consumer.lag);
  gauge('shop_projection_waiting_events', 'Failed events waiting for their next attempt.', consumer.waiting);
  gauge('shop_streams_stopped', "Streams that can't be projected.", () => stoppedHere().length);
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
