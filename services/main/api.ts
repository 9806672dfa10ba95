import { startRoles } from './roles.ts';
import { runProcess } from './run-process.ts';

/** The api role of a shop on servers: commands, queries and Stripe's webhook. */
runProcess((config, surroundings) => startRoles(['api'], config, surroundings));
