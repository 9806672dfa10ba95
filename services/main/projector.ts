import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/** The projector role of a shop on servers: projections, policies, and republishing lost events. */
runProcess((config, options) => startRoles(['projector'], config, options));
