/**
 * The identity emulator's own process: the Firebase Auth emulator of firebase-tools behind an HTTP server of ours that
 * answers a call only after the users that it changed are on disk. It takes its settings over IPC and lives as long as
 * that channel. Its parent stops it, so it ignores the signals that a terminal sends to the whole process group.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { CALLED_PATHS } from './emulator-calls.ts';
import {
  type EmulatorReply,
  type EmulatorSettings,
  emulatorSettingsSchema,
  reachableHost,
} from './emulator-messages.ts';
import { callAsOwner } from './emulator-owner.ts';
import { holdAnswer } from './hold-answer.ts';
import { createUserSaver, readUserFile, type SavedUser } from './user-file.ts';

/** What we use of the emulator's state of one project. */
interface ProjectState {
  users: Map<string, unknown>;
  /** takes every field as it was, unlike the emulator's own import, which ends all sessions */
  overwriteUserWithLocalId(localId: string, user: SavedUser): unknown;
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

const emulatorModuleSchema = z.object({
  createApp:
    z.custom<(projectId: string, mode: undefined, states: Map<string, unknown>) => Promise<RequestListener>>(
      isFunction,
    ),
});

/** What makes a server of an OpenAPI document; the emulator calls it as a property, so that it can be replaced here. */
const exegesisModuleSchema = z.object({
  middleware: z.custom<(document: unknown, options: object) => unknown>(isFunction),
});

/** Its OpenAPI document, which the server reads once it is asked for an app. */
const apiModuleSchema = z.object({
  default: z.object({
    paths: z.custom<Record<string, unknown>>((paths) => typeof paths === 'object' && paths !== null),
  }),
});

const projectStateSchema = z.custom<ProjectState>(
  (state) =>
    typeof state === 'object' &&
    state !== null &&
    'users' in state &&
    state.users instanceof Map &&
    'overwriteUserWithLocalId' in state &&
    isFunction(state.overwriteUserWithLocalId),
  { message: 'This version of firebase-tools keeps its users in a way unknown here.' },
);

const CONFIG_PATH = '/emulator/v1/projects/{project}/config';

process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
process.once('message', (message) => {
  start(message).then(
    (port) => reply({ kind: 'ready', port }),
    (error: unknown) => reply({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
  );
});

function reply(message: EmulatorReply): void {
  process.send?.(message);
}

/** Starts the emulator with its users loaded; returns its port. */
async function start(message: unknown): Promise<number> {
  const settings = settingsOf(message);
  const users = await readUserFile(settings.dataFile);
  let emulator: RequestListener | undefined;
  let save: (() => Promise<void>) | undefined;
  const server = createServer((request, response) => {
    if (!isAllowedCaller(request, settings)) response.writeHead(403).end();
    else if (emulator && save) {
      if (changesUsers(request)) holdAnswer(response, save);
      emulator(request, response);
    } else if (emulator && isConfigCall(request, settings)) emulator(request, response);
    else response.writeHead(503, { 'retry-after': '1' }).end();
  });
  const port = await listen(server, settings);
  const states = new Map<string, unknown>();
  emulator = await loadEmulator(settings.projectId, states);
  const state = await openProject(settings, port, states);
  for (const user of users) state.overwriteUserWithLocalId(user.localId, user);
  const saveUsers = createUserSaver(settings.dataFile, () => state.users.values());
  await saveUsers();
  save = saveUsers;
  return port;
}

function settingsOf(message: unknown): EmulatorSettings {
  const settings = emulatorSettingsSchema.safeParse(message);
  if (!settings.success) throw new Error(settings.error.issues.map((issue) => issue.message).join(' '));
  return settings.data;
}

/**
 * firebase-tools has no public way to run its emulator inside a program; its version is pinned for this. A start compiles
 * validators of every call that its API document names, nearly all of the time that it takes: those that nobody makes are
 * taken out before, and the others are compiled at their first call.
 */
async function loadEmulator(projectId: string, states: Map<string, unknown>): Promise<RequestListener> {
  const require = createRequire(import.meta.url);
  let loaded: { exegesis: unknown; api: unknown; server: unknown };
  try {
    loaded = {
      exegesis: createRequire(require.resolve('firebase-tools/package.json'))('exegesis-express'),
      api: require('firebase-tools/lib/emulator/auth/apiSpec'),
      server: require('firebase-tools/lib/emulator/auth/server'),
    };
  } catch (error) {
    throw new Error('firebase-tools could not be loaded: demo mode needs the development packages (npm ci).', {
      cause: error,
    });
  }
  compileAtFirstCall(loaded.exegesis);
  keepCalled(apiModuleSchema.parse(loaded.api).default.paths);
  return await emulatorModuleSchema.parse(loaded.server).createApp(projectId, undefined, states);
}

function compileAtFirstCall(exegesis: unknown): void {
  const { middleware } = exegesisModuleSchema.parse(exegesis);
  Object.assign(exegesis as object, {
    middleware: (document: unknown, options: object) =>
      middleware(document, { ...options, lazyCompileValidationSchemas: true }),
  });
}

function keepCalled(paths: Record<string, unknown>): void {
  const called = new Set(CALLED_PATHS);
  const missing = CALLED_PATHS.filter((path) => !(path in paths));
  if (missing.length > 0) throw new Error(`This version of firebase-tools does not serve ${missing.join(', ')}.`);
  for (const path of Object.keys(paths)) if (!called.has(path)) delete paths[path];
}

function listen(server: Server, settings: EmulatorSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.listen.port, settings.listen.host, () => {
      const address = server.address();
      if (address && typeof address === 'object') resolve(address.port);
      else reject(new Error('The identity emulator has no port.'));
    });
  });
}

/** Gives the project the e-mail privacy that new Firebase projects have; by this first call its state comes to be. */
async function openProject(
  settings: EmulatorSettings,
  port: number,
  states: Map<string, unknown>,
): Promise<ProjectState> {
  const address = { host: `${reachableHost(settings.listen.host)}:${port}`, projectId: settings.projectId };
  await callAsOwner(address, 'PATCH', CONFIG_PATH, {
    emailPrivacyConfig: { enableImprovedEmailPrivacy: true },
  });
  return projectStateSchema.parse(states.get(settings.projectId));
}

/**
 * The emulator grants every power to whoever can reach it and answers every website's CORS request, so no browser may
 * talk to it directly: none with an `Origin`, and on loopback none that came by another host name (DNS rebinding).
 */
function isAllowedCaller(request: IncomingMessage, settings: EmulatorSettings): boolean {
  if (request.headers.origin !== undefined) return false;
  if (settings.listen.host !== '127.0.0.1') return true;
  const port = request.socket.localPort;
  return request.headers.host === `127.0.0.1:${port}` || request.headers.host === `localhost:${port}`;
}

/** The one call let through before the users are loaded: our own (openProject). */
function isConfigCall(request: IncomingMessage, settings: EmulatorSettings): boolean {
  return request.method === 'PATCH' && request.url === CONFIG_PATH.replace('{project}', settings.projectId);
}

/** Every call but a plain read may change a user; the emulator's action links do so by GET. */
function changesUsers(request: IncomingMessage): boolean {
  return request.method !== 'GET' || (request.url ?? '').startsWith('/emulator/action');
}
