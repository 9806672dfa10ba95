import { join } from 'node:path';
import { runProcess } from '../process/run-process.ts';
import { type Role, startRoles } from '../servers/roles.ts';
import { countRequests } from './benchmarks/count-requests.fixture.ts';
import { plainIdentity } from './plain-identity.fixture.ts';

/**
 * `role-process ROLE ...` runs one or more roles of a shop on servers in a separate process, so that a test can kill
 * them. The roles run as with `npm run start:<role>`, except that sign-in uses plain tokens. If `COUNT_INTO` names a
 * folder, the process counts the requests that it sends to servers, and saves the counts there.
 */
const roles = process.argv.slice(2) as Role[];
const { COUNT_INTO } = process.env;
if (COUNT_INTO) countRequests(join(COUNT_INTO, `${roles.join('-')}.${process.pid}`));
runProcess((config, options) => startRoles(roles, config, { ...options, identity: plainIdentity }));
