import { type Build, buildIfOld, SERVICES_BUILD } from '../process/builds.mjs';

/** Node starts what is built in a third of the CPU time that it takes through tsx. */
const TEST_PROGRAMS: Build = {
  ...SERVICES_BUILD,
  config: 'whole-shop/test-programs.config.ts',
  dist: '.test-programs',
  unread: /^(\..*|dist|node_modules|.*\.test\.ts|.*\.md)$/,
};

let built: Promise<string> | undefined;

/** The folder in which each program is `NAME.js`, as its sources are now. */
export function builtPrograms(): Promise<string> {
  built ??= buildIfOld(TEST_PROGRAMS, () => {});
  return built;
}

/** Options of node for a process that ends when this one does, however that ends. Its stdin has to be a pipe. */
export const ENDS_WITH_PARENT = ['--import', new URL('./end-with-parent.mjs', import.meta.url).href];
