import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/**
 * The api role of a shop that uses MongoDB, Kafka and Redis servers. It serves commands, queries and Stripe's webhook.
 */
runProcess((config, options) => startRoles(['api'], config, options));
