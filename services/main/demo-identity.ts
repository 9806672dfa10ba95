import { join } from 'node:path';
import { ensureDemoAccounts } from '../demo/identity/demo-accounts.ts';
import { startIdentityEmulator } from '../demo/identity/start-emulator.ts';
import { keepRunning } from '../demo/keep-running.ts';
import { runProcess } from '../process/run-process.ts';
import { systemClock } from '../runtime/clock.ts';
import { DEMO_PROJECT_ID } from '../runtime/config.ts';
import { ReadableError } from '../runtime/readable-error.ts';

/** The identity emulator with the demo accounts as a process of its own, for a demo shop on servers. */
runProcess(async ({ host, port, dataDir }, { onFatal, logger }) => {
  const start = (at: number) =>
    startIdentityEmulator({
      dataFile: join(dataDir, 'identity.json'),
      projectId: DEMO_PROJECT_ID,
      listen: { host, port: at },
    });
  const emulator = await start(port).catch((error: Error) => {
    throw new ReadableError(error.message, { cause: error });
  });
  const restart = () => start(Number(emulator.host.split(':').at(-1)));
  const kept = keepRunning('identity emulator', emulator, restart, { clock: systemClock, onGivenUp: onFatal, logger });
  await ensureDemoAccounts(emulator.host, DEMO_PROJECT_ID);
  return { origin: `http://${emulator.host}`, stop: kept.stop };
});
