import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Loaded before a program that a test starts: a test that is cut off stops nothing. The pipe to stdin closes when its other end is gone,
// even by SIGKILL. What the program itself starts has no pipe there.
if (isMainThread && fstatSync(0).isSocket()) {
  const end = () => process.kill(process.pid, 'SIGKILL');
  process.stdin.on('end', end).on('error', end).resume().unref();
}
