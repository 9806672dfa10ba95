import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/**
 * The projector role of a shop on servers (MongoDB, Kafka and Redis). It runs projections and policies, and republishes
 * lost events.
 */
runProcess((config, options) => startRoles(['projector'], config, options));
