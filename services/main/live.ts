import { runProcess } from '../process/run-process.ts';
import { startRoles } from '../servers/roles.ts';

/** The live role of a shop on servers (MongoDB, Kafka and Redis). It pushes changes to browsers over socket.io. */
runProcess((config, options) => startRoles(['live'], config, options));
