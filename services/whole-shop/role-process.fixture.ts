import { join } from 'node:path';
import { runProcess } from '../process/run-process.ts';
import { type Role, startRoles } from '../servers/roles.ts';
import { countRequests } from './benchmarks/count-requests.fixture.ts';
import { plainIdentity } from './plain-identity.fixture.ts';

/**
 * Roles of a shop on servers in a process of their own, to be killed: `role-process api live`.
 * As `npm run start:api` runs them; only signing in goes by plain tokens.
 * With `COUNT_INTO`, a folder, it writes there what it sends.
 */
const roles = process.argv.slice(2) as Role[];
const { COUNT_INTO } = process.env;
if (COUNT_INTO) countRequests(join(COUNT_INTO, `${roles.join('-')}.${process.pid}`));
runProcess((config, options) => startRoles(roles, config, { ...options, identity: plainIdentity }));
