import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/**
 * The projector role of a shop that uses MongoDB, Kafka and Redis servers. It runs projections and policies, and
 * republishes lost events.
 */
runProcess((config, options) => startRoles(['projector'], config, options));
