import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded into every program that a test starts, because a test that is killed can't stop the program itself. The
// stdin pipe closes when the process at its other end exits, even by SIGKILL. The program's own children have no such
// pipe.
if (isMainThread && fstatSync(0).isSocket()) {
  const end = () => process.kill(process.pid, 'SIGKILL');
  process.stdin.on('end', end).on('error', end).resume().unref();
}
