import { join } from 'node:path';
import { ensureDemoAccounts } from '../identity/demo-accounts.ts';
import { startIdentityEmulator } from '../identity/start-emulator.ts';
import { DEMO_PROJECT_ID } from '../runtime/config.ts';
import { ReadableError } from '../runtime/readable-error.ts';
import { runProcess } from './run-process.ts';

/** The identity emulator with the demo accounts as a process of its own, for a demo shop on servers. */
runProcess(async ({ host, port, dataDir }, { onFatal }) => {
  const emulator = await startIdentityEmulator({
    dataFile: join(dataDir, 'identity.json'),
    projectId: DEMO_PROJECT_ID,
    listen: { host, port },
  }).catch((error: Error) => {
    throw new ReadableError(error.message, { cause: error });
  });
  let stopping = false;
  void emulator.exited.then(() => {
    if (!stopping) onFatal('The identity emulator has ended.');
  });
  await ensureDemoAccounts(emulator.host, DEMO_PROJECT_ID);
  return {
    origin: `http://${emulator.host}`,
    stop() {
      stopping = true;
      return emulator.stop();
    },
  };
});
