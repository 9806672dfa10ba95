import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// This module is preloaded into every program that a test starts, because a test that is killed can't stop the programs
// it has started. When the test process exits, even by SIGKILL, the stdin pipe of each program closes, and the program
// kills itself. Processes that the program itself starts don't have this pipe.
if (isMainThread && fstatSync(0).isSocket()) {
  const end = () => process.kill(process.pid, 'SIGKILL');
  process.stdin.on('end', end).on('error', end).resume().unref();
}
