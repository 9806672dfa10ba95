import { broadcastContract } from './broadcast.contract.ts';
import { createInProcessBroadcast } from './broadcast.ts';

broadcastContract('in one process', async () => {
  const broadcast = createInProcessBroadcast();
  return { join: async () => broadcast, dispose: () => broadcast.close() };
});
