import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { isLoopback } from '../runtime/own-host.ts';
import { ensureDemoAccounts } from './identity/demo-accounts.ts';
import { holdAnswer } from './identity/hold-answer.ts';
import { loadEmulator } from './identity/load-emulator.ts';
import { createUserSaver, readUserFile } from './identity/user-file.ts';
import { runProvider } from './run-provider.ts';

/**
 * Runs the Firebase Auth emulator behind our own HTTP server. Before the server responds to a call, it saves any
 * changed users to disk. It serves no calls until the demo accounts have been added.
 */

const emulatorSettingsSchema = z.object({
  dataFile: z.string().min(1),
  projectId: z.string().regex(/^demo-[a-z0-9-]{1,60}$/, 'The project id of the identity emulator begins with demo-.'),
  /** whether the port is on loopback; if so, a call whose `Host` isn't a loopback name is refused */
  loopback: z.boolean(),
});
export type EmulatorSettings = z.infer<typeof emulatorSettingsSchema>;

runProvider(emulatorSettingsSchema, async (settings) => {
  const { answer, save } = await openEmulator(settings);
  const answerAllowed: RequestListener = (request, response) => {
    if (!isAllowedCaller(request, settings)) {
      response.writeHead(403).end();
      return;
    }
    if (changesUsers(request)) holdAnswer(response, save);
    answer(request, response);
  };
  await addDemoAccounts(answerAllowed, settings);
  return { listen: (port) => void createServer(answerAllowed).listen(port), stop: async () => {} };
});

/**
 * Adds the demo accounts through a temporary port. On the emulator's permanent port, someone else could sign up with
 * the demo admin's e-mail address first.
 */
async function addDemoAccounts(answer: RequestListener, { projectId }: EmulatorSettings): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await ensureDemoAccounts(`127.0.0.1:${port}`, projectId);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

async function openEmulator({ dataFile, projectId }: EmulatorSettings) {
  const users = await readUserFile(dataFile);
  const { server, state } = loadEmulator();
  const project = new state.AgentProjectState(projectId);
  // Hides whether an e-mail address has an account. This is also the default for new Firebase projects.
  project.enableImprovedEmailPrivacy = true;
  for (const user of users) project.overwriteUserWithLocalId(user.localId, user);
  const save = createUserSaver(dataFile, () => project.users.values());
  await save();
  return { answer: await server.createApp(projectId, undefined, new Map([[projectId, project]])), save };
}

/**
 * Returns false for a call with an `Origin` header. On loopback, also returns false for a call whose `Host` isn't a
 * loopback name, which happens in a DNS rebinding attack. The emulator itself accepts any call from any website, so
 * browsers must not reach it directly.
 */
function isAllowedCaller({ headers }: IncomingMessage, { loopback }: EmulatorSettings): boolean {
  if (headers.origin !== undefined) return false;
  const named = `http://${headers.host}`;
  return !loopback || (URL.canParse(named) && isLoopback(new URL(named).hostname));
}

/** Opening one of the emulator's action links sends only a GET request, yet it changes a user's account. */
function changesUsers({ method, url = '' }: IncomingMessage): boolean {
  return method !== 'GET' || url.startsWith('/emulator/action');
}
