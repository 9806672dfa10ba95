import { startRoles } from './roles.ts';
import { runProcess } from './run-process.ts';

/** The live role of a shop on servers: pushes to browsers over socket.io. */
runProcess((config, surroundings) => startRoles(['live'], config, surroundings));
