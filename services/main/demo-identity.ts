import { join } from 'node:path';
import { PROVIDERS, startProvider } from '../demo/start-provider.ts';
import { supervise } from '../demo/supervise.ts';
import { runProcess } from '../process/run-process.ts';
import { systemClock } from '../runtime/clock.ts';
import { DEMO_PROJECT_ID } from '../runtime/config.ts';
import { isLoopback } from '../runtime/own-host.ts';

/**
 * Runs the identity emulator and its demo accounts as a separate process, for a demo shop that uses MongoDB, Kafka and
 * Redis servers.
 */
runProcess(async ({ host, port, dataDir }, { onFatal, logger }) => {
  const settings = {
    dataFile: join(dataDir, 'identity.json'),
    projectId: DEMO_PROJECT_ID,
    loopback: isLoopback(host),
  };
  const start = (at: number) => startProvider('emulator', settings, { host, port: at });
  const emulator = await start(port);
  const keep = { clock: systemClock, onGivenUp: onFatal, logger };
  const kept = supervise(PROVIDERS.emulator, emulator, () => start(emulator.port), keep);
  await emulator.ready;
  return { origin: `http://${host}:${emulator.port}`, stop: kept.stop };
});
