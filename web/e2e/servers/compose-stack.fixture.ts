import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Cleanup } from '../../../services/process/cleanup.ts';
import { freePort } from '../../../services/servers/test-servers/kafka-container.fixture.ts';
import { freshDataDir } from '../../../services/whole-shop/shop-process.fixture.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMPOSE_FILE = join(ROOT, 'docker-compose.yml');
const run = promisify(execFile);
/**
 * Matches a logged warning or error. Roles and demo providers log the level as a number, and servers and nginx log it
 * as a word. When Node aborts, it logs a failed assertion.
 */
const WARNING_OR_WORSE = /"level":[4-6]0\b|\b(WARN|ERROR|FATAL)\b|\[(warn|error|crit)\]|Assertion failed/;

/** A running container of the stack. */
export interface StackContainer {
  readonly id: string;
  readonly service: string;
  /** the ports that it publishes, as `docker ps` writes them */
  readonly published: readonly string[];
}

/** The ids of all of the stack's Docker objects, including stopped containers. */
export interface StackParts {
  readonly containers: readonly string[];
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
}

/** The demo shop of docker-compose.yml, under its own project name. */
export interface ComposeStack {
  readonly url: string;
  running(): Promise<StackContainer[]>;
  /** Sends SIGKILL. Docker doesn't restart a container that was killed this way. */
  kill(id: string): Promise<void>;
  /** Runs a command in a container and returns its output. @throws Error if the command fails */
  exec(id: string, ...command: string[]): Promise<string>;
  parts(): Promise<StackParts>;
  /** Returns the containers with their states, and every warning and error that they logged. */
  complaints(): Promise<string>;
  /** Runs `docker compose down -v`. @throws Error if any part of the stack remains */
  down(): Promise<void>;
}

/** Builds the images, starts the stack, and waits until every container is healthy. `cleanup` takes the stack down. */
export async function startComposeStack(cleanup: Cleanup): Promise<ComposeStack> {
  await assertCompose();
  const folder = freshDataDir();
  const settings = join(folder.path, 'settings.env');
  writeFileSync(settings, filledInExample());
  const project = `micro-center-test-${randomBytes(4).toString('hex')}`;
  const compose = (...args: string[]) =>
    docker('compose', '--project-name', project, '--env-file', settings, '--profile', 'demo', ...args);
  const down = async () => {
    await compose('down', '--volumes');
    const left = Object.values(await partsOf(project)).flat();
    if (left.length > 0) throw new Error(`docker compose down left behind: ${left.join(', ')}`);
  };
  cleanup.add(() => down().finally(folder.remove));
  const beforeBuild = Date.now();
  await compose('build');
  // The port is chosen after the build, because a build can take minutes and another process could take the port
  // meanwhile.
  const port = await freePort();
  appendFileSync(settings, `HTTP_PORT=${port}\n`);
  const beforeUp = Date.now();
  await compose('up', '--detach', '--wait').catch(async (error: Error) => {
    throw new Error(`${error.message}\n${await compose('logs', '--no-color', '--tail', '15')}`);
  });
  console.log(`compose stack: built in ${beforeUp - beforeBuild} ms, up and healthy in ${Date.now() - beforeUp} ms`);
  return {
    url: `http://localhost:${port}`,
    running: () => runningContainers(project),
    kill: async (id) => void (await docker('kill', id)),
    exec: (id, ...command) => docker('exec', id, ...command),
    parts: () => partsOf(project),
    async complaints() {
      const [state, logs] = await Promise.all([compose('ps', '--all'), compose('logs', '--no-color')]);
      return [state, ...logs.split('\n').filter((line) => WARNING_OR_WORSE.test(line))].join('\n');
    },
    down,
  };
}

/** Returns the text of .env.example with its only required secret filled in. */
function filledInExample(): string {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  return example.replace(/^ACCESS_TOKEN_SECRET=$/m, `ACCESS_TOKEN_SECRET=${randomBytes(32).toString('hex')}`);
}

async function runningContainers(project: string): Promise<StackContainer[]> {
  const format = '{{.ID}}\t{{.Label "com.docker.compose.service"}}\t{{.Ports}}';
  const rows = await lines('ps', ...ofProject(project), '--format', format);
  return rows.map((row) => {
    const [id = '', service = '', ports = ''] = row.split('\t');
    // `docker ps` shows an arrow for published ports, but not for ports that are only exposed.
    return { id, service, published: ports.split(', ').filter((port) => port.includes('->')) };
  });
}

async function partsOf(project: string): Promise<StackParts> {
  const [containers, networks, volumes] = await Promise.all([
    lines('ps', '--all', '--quiet', ...ofProject(project)),
    lines('network', 'ls', '--quiet', ...ofProject(project)),
    lines('volume', 'ls', '--quiet', ...ofProject(project)),
  ]);
  return { containers, networks, volumes };
}

function ofProject(project: string): string[] {
  return ['--filter', `label=com.docker.compose.project=${project}`];
}

async function lines(...args: string[]): Promise<string[]> {
  return (await docker(...args)).split('\n').filter((line) => line !== '');
}

/** @throws Error with a one-line message if there is no `docker compose` */
async function assertCompose(): Promise<void> {
  await run('docker', ['compose', 'version']).catch(() => {
    throw new Error(
      'The test of docker-compose.yml needs the command `docker` with Compose 2.20.2 or newer, but found none. Install ' +
        'docker-ce-cli, docker-buildx-plugin and docker-compose-plugin (https://docs.docker.com/compose/install/).',
    );
  });
}

/** Runs a docker command and returns its output. @throws Error with the end of its stderr */
async function docker(...args: string[]): Promise<string> {
  const options = { cwd: ROOT, env: environmentWithoutSettings(), maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await run('docker', args, options)).stdout.trim();
  } catch (error) {
    const complaint = (error as { stderr?: string }).stderr?.slice(-4_000) ?? String(error);
    throw new Error(`docker ${args.join(' ')} failed:\n${complaint}`);
  }
}

/** This process's environment without the variables that would override the stack's own settings. */
function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const named = [...readFileSync(COMPOSE_FILE, 'utf8').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
  const kept = Object.entries(process.env).filter(([name]) => !named.includes(name) && !name.startsWith('COMPOSE_'));
  return Object.fromEntries(kept);
}
