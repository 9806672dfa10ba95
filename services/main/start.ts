import { startShop } from './all-in-one.ts';
import { runProcess } from './run-process.ts';
import { buildWebIfOld } from './web-build.ts';

/** `npm start`: the whole embedded shop in one process. */
runProcess(async (config, surroundings) => {
  await buildWebIfOld(surroundings.print);
  return startShop(config, surroundings);
});
