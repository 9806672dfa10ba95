import { join } from 'node:path';
import { runProcess } from '../process/run-process.ts';
import { type Role, startRoles } from '../servers/roles.ts';
import { countRequests } from './benchmarks/count-requests.fixture.ts';
import { plainIdentity } from './plain-identity.fixture.ts';

/**
 * `role-process ROLE ...` runs one or more of a shop's roles in a separate process, so that a test can kill that
 * process. Each role runs the way `npm run start:<role>` runs it, except that users sign in with plain tokens. If the
 * variable `COUNT_INTO` names a folder, the process counts the requests that it sends to servers, and saves the counts
 * in that folder.
 */
const roles = process.argv.slice(2) as Role[];
const { COUNT_INTO } = process.env;
if (COUNT_INTO) countRequests(join(COUNT_INTO, `${roles.join('-')}.${process.pid}`));
runProcess((config, options) => startRoles(roles, config, { ...options, identity: plainIdentity }));
