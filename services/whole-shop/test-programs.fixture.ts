import { type Build, buildIfOld, SERVICES_BUILD } from '../process/builds.mjs';

/** Tests start built programs, because starting one takes a third of the CPU time that it would take with tsx. */
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

/** Node options that make a child exit when this process does, even if this process is killed. The child's stdin must be a pipe. */
export const ENDS_WITH_PARENT = ['--import', new URL('./end-with-parent.mjs', import.meta.url).href];
