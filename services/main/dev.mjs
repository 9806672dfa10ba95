import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from '../process/launch.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** @type {(workspace: string, name: string) => string} */
const packageFolder = (workspace, name) =>
  join(createRequire(join(root, workspace, 'package.json')).resolve(`${name}/package.json`), '..');

/** `npm run dev`: restarts the shop whenever its code changes, and serves the client with hot reload on http://127.0.0.1:5173. */
await launch(async () => {
  const port = process.env.PORT ?? '8080';
  const web = 'http://127.0.0.1:5173';
  const tsx = join(packageFolder('services', 'tsx'), 'dist', 'cli.mjs');
  const vite = join(packageFolder('web', 'vite'), 'bin', 'vite.js');
  const shop = spawn(process.execPath, [tsx, 'watch', '--clear-screen=false', 'services/main/start.ts'], {
    cwd: root,
    stdio: 'inherit',
    // Also allows sign-in from the hot-reloading client, whose pages are served from a different origin.
    env: { ...process.env, PORT: port, CORS_ORIGINS: [process.env.CORS_ORIGINS, web].filter(Boolean).join(',') },
  });
  const client = spawn(process.execPath, [vite, '--host', '127.0.0.1', '--port', '5173', '--strictPort'], {
    cwd: join(root, 'web'),
    stdio: 'inherit',
    env: { ...process.env, SHOP_ORIGIN: `http://127.0.0.1:${port}` },
  });

  const children = [shop, client];
  /** @type {(signal: NodeJS.Signals) => void} */
  const endAll = (signal) => {
    for (const child of children) child.kill(signal);
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => endAll(signal));
  for (const child of children) {
    child.once('exit', (code) => {
      endAll('SIGTERM');
      process.exitCode = code ?? 0;
    });
  }
});
