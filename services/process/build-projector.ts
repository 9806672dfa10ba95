import type { Projecting } from '../engine/projector/follow-feed.ts';
import type { ProjectorSettings } from '../engine/projector/project.ts';
import { measureMails, measureProjecting, measureReader, measureRefunds } from './measurements.ts';
import { openMail } from './open-mail.ts';
import { createOrderFlows } from './order-flows.ts';
import type { ShopContext, ShopProjector } from './shop-context.ts';

/**
 * Builds the projector and the flows of orders, and starts projecting. From then on, policies may append events.
 * `origin` is the address that e-mails link to.
 */
export async function buildProjector(
  { config, core, providers, measurements, clock, logger, cleanup }: ShopContext,
  origin: string,
  startProjecting: (runPolicies: NonNullable<ProjectorSettings['runPolicies']>) => Promise<Projecting>,
): Promise<ShopProjector> {
  const mail = await openMail(config, logger, cleanup);
  const { processingTtlMs } = config;
  const parts = { core, ...providers, mail, origin, processingTtlMs, clock, logger };
  const { payments, policies, reader, scan, mailer, erasures } = createOrderFlows(parts);
  const projecting = await startProjecting(policies.run);
  cleanup.add(async () => {
    await reader.stop();
    await scan.stop();
    await mailer?.stop();
    await erasures.stop();
  });
  measureProjecting(measurements, projecting, clock);
  measureRefunds(measurements, scan);
  measureReader(measurements, reader);
  if (mailer) measureMails(measurements, mailer);
  return {
    consumer: projecting.consumer,
    payments,
    start() {
      scan.start();
      reader.start();
      mailer?.start();
    },
  };
}
