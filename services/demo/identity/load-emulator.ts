import type { RequestListener } from 'node:http';
import Module, { createRequire } from 'node:module';
import { z } from 'zod';
import { CALLED_PATHS } from './emulator-calls.ts';
import type { SavedUser } from './user-file.ts';

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

/**
 * Loads the emulator from firebase-tools, whose version is pinned because the emulator has no public API. Compiling the
 * validators of all endpoints would take most of the startup time, so endpoints that the shop never calls are removed.
 * The remaining validators are compiled on first use, and their schemas aren't checked. Of firebase-tools' dependencies,
 * only those that the emulator needs are installed (DECISIONS.md, entry 76).
 */
export function loadEmulator() {
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
    const [reason] = String(error).split('\n');
    throw new Error(
      `firebase-tools could not be loaded (${reason}). Demo mode needs the development dependencies (npm ci --include=dev).`,
      { cause: error },
    );
  }
}
