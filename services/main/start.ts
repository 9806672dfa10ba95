import { buildIfOld, WEB_BUILD } from '../process/builds.mjs';
import { runProcess } from '../process/run-process.ts';

/**
 * `npm start`: runs the whole shop in one process. The shop is either embedded or uses the MongoDB, Kafka and Redis
 * servers named in the configuration.
 */
runProcess(async (config, options) => {
  await buildIfOld(WEB_BUILD, options.print);
  if (config.servers) {
    const { startRoles } = await import('../servers/roles.ts');
    return startRoles(['api', 'projector', 'live'], config, options);
  }
  const { startShop } = await import('../embedded/all-in-one.ts');
  return startShop(config, options);
});
