import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import Module, { createRequire } from 'node:module';
import { z } from 'zod';
import { CALLED_PATHS } from './identity/emulator-calls.ts';
import { holdAnswer } from './identity/hold-answer.ts';
import { createUserSaver, readUserFile, type SavedUser } from './identity/user-file.ts';
import { runProvider } from './run-provider.ts';

/*
 * The identity emulator's own process: the Firebase Auth emulator of firebase-tools behind an HTTP server of ours that
 * answers a call only after the users that it changed are on disk.
 */

const emulatorSettingsSchema = z.object({
  /** where the users are kept; created where absent */
  dataFile: z.string().min(1),
  projectId: z.string().regex(/^demo-[a-z0-9-]{1,60}$/, 'The project id of the identity emulator begins with demo-.'),
  /** whether the open port is one of 127.0.0.1, which no request may reach under another name */
  loopback: z.boolean(),
});
export type EmulatorSettings = z.infer<typeof emulatorSettingsSchema>;

interface ProjectState {
  readonly users: Map<string, unknown>;
  enableImprovedEmailPrivacy: boolean;
  /** takes every field as it was, unlike the emulator's own import, which ends all sessions */
  overwriteUserWithLocalId(localId: string, user: SavedUser): unknown;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const has = (name: string) => (value: unknown) => typeof value === 'object' && value !== null && name in value;

/** What we use of the emulator's modules; custom types, since what is parsed is changed in place. */
const modulesSchema = z.object({
  /** makes a server of an OpenAPI document; the emulator calls it as a property, so that it can be replaced */
  exegesis: z.custom<{ middleware(document: unknown, options: object): unknown }>(has('middleware')),
  Ajv: z.custom<{ prototype: { validateSchema(): boolean } }>(isFunction),
  /** the OpenAPI document, which the server reads once it is asked for an app */
  api: z.object({ default: z.object({ paths: z.custom<Record<string, unknown>>(has('/v1/token')) }) }),
  state: z.object({ AgentProjectState: z.custom<new (projectId: string) => ProjectState>(isFunction) }),
  server: z.object({
    createApp:
      z.custom<(projectId: string, mode: undefined, states: Map<string, unknown>) => Promise<RequestListener>>(
        isFunction,
      ),
  }),
});

/** Modules of firebase-tools that serve its command line: half of what it loads. */
const COMMAND_LINE = ['track', 'apiv2', 'prompt'];

runProvider(emulatorSettingsSchema, async (settings, socket) => {
  const opening = openEmulator(settings);
  const server = createServer(async (request, response) => {
    if (!isAllowedCaller(request, settings)) {
      response.writeHead(403).end();
      return;
    }
    // Where it cannot be opened this process is ended.
    const { answer, save } = await opening;
    if (changesUsers(request)) holdAnswer(response, save);
    answer(request, response);
  });
  server.listen(socket);
  await opening;
  return async () => {};
});

async function openEmulator({ dataFile, projectId }: EmulatorSettings) {
  const users = await readUserFile(dataFile);
  const { server, state } = loadEmulator();
  const project = new state.AgentProjectState(projectId);
  // As new projects of Firebase have it.
  project.enableImprovedEmailPrivacy = true;
  for (const user of users) project.overwriteUserWithLocalId(user.localId, user);
  const save = createUserSaver(dataFile, () => project.users.values());
  await save();
  return { answer: await server.createApp(projectId, undefined, new Map([[projectId, project]])), save };
}

/**
 * firebase-tools has no public way to run its emulator inside a program; its version is pinned for this. Nearly all of a
 * start would go into validators of every call that its API document names: those that nobody makes are taken out, the
 * others are compiled at their first call, and the document, which is pinned too, is not checked for each of them.
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
    throw new Error('firebase-tools could not be loaded: demo mode needs the development packages (npm ci).', {
      cause: error,
    });
  }
}

/**
 * The emulator grants every power to whoever can reach it and answers every website's CORS request, so no browser may
 * talk to it directly: none with an `Origin`, and on loopback none that came by another host name (DNS rebinding).
 */
function isAllowedCaller({ headers, socket }: IncomingMessage, { loopback }: EmulatorSettings): boolean {
  if (headers.origin !== undefined) return false;
  return !loopback || ['127.0.0.1', 'localhost'].some((name) => headers.host === `${name}:${socket.localPort}`);
}

/** Every call but a plain read may change a user; the emulator's action links do so by GET. */
function changesUsers({ method, url = '' }: IncomingMessage): boolean {
  return method !== 'GET' || url.startsWith('/emulator/action');
}
