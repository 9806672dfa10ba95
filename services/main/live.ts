import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/** The live role of a shop that uses MongoDB, Kafka and Redis servers. It pushes changes to browsers over socket.io. */
runProcess((config, options) => startRoles(['live'], config, options));
