import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/** The api role of a shop on servers (MongoDB, Kafka and Redis). It serves commands, queries and Stripe's webhook. */
runProcess((config, options) => startRoles(['api'], config, options));
