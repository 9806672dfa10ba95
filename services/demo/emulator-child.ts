import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import Module, { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { isLoopback } from '../runtime/own-host.ts';
import { ensureDemoAccounts } from './identity/demo-accounts.ts';
import { CALLED_PATHS } from './identity/emulator-calls.ts';
import { holdAnswer } from './identity/hold-answer.ts';
import { createUserSaver, readUserFile, type SavedUser } from './identity/user-file.ts';
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

interface ProjectState {
  readonly users: Map<string, unknown>;
  enableImprovedEmailPrivacy: boolean;
  /** stores the user with all fields unchanged; the emulator's own import would end the user's sessions */
  overwriteUserWithLocalId(localId: string, user: SavedUser): unknown;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const has = (name: string) => (value: unknown) => typeof value === 'object' && value !== null && name in value;

/**
 * The modules that we load from firebase-tools and its dependencies. `z.custom` returns the module itself rather than a
 * copy, which lets us patch the module in place.
 */
const modulesSchema = z.object({
  /**
   * `middleware` builds a server from an OpenAPI document. firebase-tools reads this property whenever it builds a
   * server, so we can replace the function.
   */
  exegesis: z.custom<{ middleware(document: unknown, options: object): unknown }>(has('middleware')),
  Ajv: z.custom<{ prototype: { validateSchema(): boolean } }>(isFunction),
  /** the OpenAPI document, which can be changed until the emulator creates its first app */
  api: z.object({ default: z.object({ paths: z.custom<Record<string, unknown>>(has('/v1/token')) }) }),
  state: z.object({ AgentProjectState: z.custom<new (projectId: string) => ProjectState>(isFunction) }),
  server: z.object({
    createApp:
      z.custom<(projectId: string, mode: undefined, states: Map<string, unknown>) => Promise<RequestListener>>(
        isFunction,
      ),
  }),
});

/**
 * These modules are needed only by firebase-tools' command line, but make up half of the code that the emulator loads.
 * They are replaced with empty modules.
 */
const COMMAND_LINE = ['track', 'apiv2', 'prompt'];

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
 * Loads the emulator from firebase-tools, whose version is pinned because the emulator has no public API. Compiling the
 * validators of all endpoints would take most of the startup time, so endpoints that the shop never calls are removed.
 * The remaining validators are compiled on first use, and their schemas aren't checked.
 */
function loadEmulator() {
  const { exegesis, Ajv, api, state, server } = modulesSchema.parse(loadModules());
  const { middleware } = exegesis;
  exegesis.middleware = (document, options) => middleware(document, { ...options, lazyCompileValidationSchemas: true });
  Ajv.prototype.validateSchema = () => true;
  const { paths } = api.default;
  const missing = CALLED_PATHS.filter((path) => !(path in paths));
  if (missing.length > 0) throw new Error(`This version of firebase-tools does not serve ${missing.join(', ')}.`);
  for (const path of Object.keys(paths)) if (!CALLED_PATHS.includes(path)) delete paths[path];
  return { state, server };
}

function loadModules(): object {
  const require = createRequire(import.meta.url);
  try {
    for (const name of COMMAND_LINE) {
      const file = require.resolve(`firebase-tools/lib/${name}`);
      require.cache[file] = Object.assign(new Module(file), { loaded: true });
    }
    const itsOwn = createRequire(require.resolve('firebase-tools/package.json'));
    return {
      exegesis: itsOwn('exegesis-express'),
      Ajv: createRequire(itsOwn.resolve('exegesis'))('ajv'),
      api: require('firebase-tools/lib/emulator/auth/apiSpec'),
      state: require('firebase-tools/lib/emulator/auth/state'),
      server: require('firebase-tools/lib/emulator/auth/server'),
    };
  } catch (error) {
    throw new Error('firebase-tools could not be loaded: demo mode needs the development dependencies (npm ci).', {
      cause: error,
    });
  }
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
