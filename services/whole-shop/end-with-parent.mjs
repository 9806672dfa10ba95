import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Preloaded into every program that a test starts, because a test that is killed can't stop its programs. The stdin
// pipe of such a program closes when the test process exits, even by SIGKILL, and the program then kills itself. The
// program's own children aren't started with such a pipe.
if (isMainThread && fstatSync(0).isSocket()) {
  const end = () => process.kill(process.pid, 'SIGKILL');
  process.stdin.on('end', end).on('error', end).resume().unref();
}
