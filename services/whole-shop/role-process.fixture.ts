import { runProcess } from '../process/run-process.ts';
import { type Role, startRoles } from '../servers/roles.ts';
import { plainIdentity } from './plain-identity.fixture.ts';

/**
 * Roles of a shop on servers in a process of their own, to be killed: `role-process api live`.
 * As `npm run start:api` runs them; only signing in goes by plain tokens.
 */
const roles = process.argv.slice(2) as Role[];
runProcess((config, options) => startRoles(roles, config, { ...options, identity: plainIdentity }));
