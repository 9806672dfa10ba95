import { type Build, buildIfOld, SERVICES_BUILD } from '../process/builds.mjs';

/**
 * The programs that tests start. They are built first, because starting a built program takes only a third of the CPU
 * time that starting it with tsx would take.
 */
const TEST_PROGRAMS: Build = {
  ...SERVICES_BUILD,
  config: 'whole-shop/test-programs.config.ts',
  dist: '.test-programs',
  unread: /^(\..*|dist|node_modules|.*\.test\.ts|.*\.md)$/,
};

let built: Promise<string> | undefined;

/** Returns the folder that holds each program as `NAME.js`. If the sources have changed, rebuilds the programs first. */
export function builtPrograms(): Promise<string> {
  built ??= buildIfOld(TEST_PROGRAMS, () => {});
  return built;
}

/**
 * Node options that make a child process exit when this process exits, even if this process is killed. The child's
 * stdin must be a pipe.
 */
export const ENDS_WITH_PARENT = ['--import', new URL('./end-with-parent.mjs', import.meta.url).href];
