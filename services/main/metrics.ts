import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Readiness } from '../api/dependencies.ts';
import type { FeedConsumer } from '../event-feed/event-feed.ts';
import type { LiveGateway } from '../live/gateway.ts';
import type { EmbeddedCore } from './embedded-core.ts';

interface Measured {
  readonly core: Pick<EmbeddedCore, 'handler' | 'projector' | 'log'>;
  readonly projecting: FeedConsumer;
  readonly gateway: LiveGateway;
}

/** What /metrics and /readyz tell of an embedded shop: how far each part is behind, and which streams have stopped (PRJ4). */
export function shopMetrics({ core, projecting, gateway }: Measured): {
  registry: Registry;
  readiness: () => Promise<Readiness>;
} {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await read());
      },
    });
  gauge('shop_commands_pending', 'Commands waiting or being decided.', core.handler.pending);
  gauge('shop_projection_lag_events', 'Appended events that the projector has not handled yet.', projecting.lag);
  gauge('shop_projection_waiting_events', 'Events that failed and wait for their next try.', projecting.waiting);
  gauge('shop_streams_stopped', 'Streams that cannot be projected.', () => core.projector.stoppedStreams().length);
  gauge('shop_live_sockets', 'Live connections.', gateway.sockets);

  return {
    registry,
    async readiness() {
      const stopped = core.projector.stoppedStreams();
      const checks = {
        live: gateway.live(),
        projectionLagEvents: await projecting.lag(),
        projectionWaitingEvents: await projecting.waiting(),
        stoppedStreams: stopped.map(({ stream, since, attempts }) => ({ stream, since, attempts })),
      };
      return { ready: checks.live && stopped.length === 0, checks };
    },
  };
}
