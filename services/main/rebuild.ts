import { createProjector } from '../engine/projector/project.ts';
import { rebuildReadModels } from '../engine/projector/rebuild.ts';
import { runCommand } from '../process/run-command.ts';
import { systemClock as clock } from '../runtime/clock.ts';
import { type EmbeddedConfig, readConfig, type ServersConfig } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { finishRestore } from '../shop/people/finish-restore-flow.ts';

/** `npm run rebuild`: rebuilds the read models from the log. No other process may run projections at the same time. */
runCommand(async () => {
  const config = readConfig(process.env);
  return config.servers ? rebuildOnServers(config) : rebuildEmbedded(config);
});

const rebuiltFrom = (events: number) => `read models rebuilt from ${events} events`;

async function rebuildEmbedded(config: EmbeddedConfig): Promise<string> {
  const { withStoppedShop } = await import('../embedded/stopped-shop.ts');
  return rebuiltFrom(await withStoppedShop(config, (core) => core.rebuild()));
}

/**
 * Also performs the final steps of a restore, because this is the only command of the shop that is run after MongoDB's
 * own tools have restored the database.
 */
async function rebuildOnServers(config: ServersConfig): Promise<string> {
  const { openServersCore } = await import('../servers/servers-core.ts');
  const core = await openServersCore({ config, logger: createLogger(config.logLevel) });
  try {
    await core.snapshots.clear();
    const closed = await finishRestore(core, clock);
    const projector = createProjector({ ...core, clock });
    const rebuilt = rebuiltFrom(await rebuildReadModels({ ...core, projector }));
    return closed === 0 ? rebuilt : `${rebuilt}; closed the accounts of ${closed} people erased since the backup`;
  } finally {
    await core.close();
  }
}
