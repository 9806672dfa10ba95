import { z } from 'zod';
import { callAccounts, callAsOwner, type EmulatorAddress } from './emulator-calls.ts';

export interface DemoAccount {
  uid: string;
  email: string;
  name: string;
  password: string;
  role: 'admin' | 'customer';
}

/** The passwords aren't secret. The shop prints them each time it starts. */
export const DEMO_ACCOUNTS = [
  {
    uid: 'demoAdminFarhana0000000000000',
    email: 'farhana@micro-center.test',
    name: 'Farhana Rahman',
    password: 'keep-the-shelves-full',
    role: 'admin',
  },
  {
    uid: 'demoShopperTanvir000000000000',
    email: 'tanvir@micro-center.test',
    name: 'Tanvir Hossain',
    password: 'quiet-fans-please',
    role: 'customer',
  },
  {
    uid: 'demoShopperNusrat000000000000',
    email: 'nusrat@micro-center.test',
    name: 'Nusrat Jahan',
    password: 'tempered-glass-side',
    role: 'customer',
  },
] as const satisfies readonly DemoAccount[];

const lookupSchema = z.object({
  users: z
    .array(
      z.object({
        localId: z.string(),
        email: z.string().optional(),
        emailVerified: z.boolean().default(false),
        disabled: z.boolean().default(false),
      }),
    )
    .default([]),
});
type Account = z.infer<typeof lookupSchema>['users'][number];

/**
 * Creates missing demo accounts, and resets changed ones to the printed e-mail address and password. Unchanged accounts
 * aren't touched, so their sessions stay valid.
 */
export async function ensureDemoAccounts(emulatorHost: string, projectId: string): Promise<void> {
  await Promise.all(DEMO_ACCOUNTS.map((account) => ensureAccount({ host: emulatorHost, projectId }, account)));
}

async function ensureAccount(emulator: EmulatorAddress, wanted: DemoAccount): Promise<void> {
  const found = await findAccount(emulator, wanted);
  const { uid: localId, email, password, name: displayName } = wanted;
  if (!found) {
    const account = { localId, email, password, displayName, emailVerified: true };
    await callAsOwner(emulator, 'POST', '/identitytoolkit.googleapis.com/v1/projects/{project}/accounts', account);
    return;
  }
  const usable = found.email === email && found.emailVerified && !found.disabled;
  if (usable && (await callAccounts(emulator.host, 'signInWithPassword', { email, password }))) return;
  await callAsOwner(emulator, 'POST', '/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:update', {
    localId: found.localId,
    email,
    password,
    displayName,
    emailVerified: true,
    disableUser: false,
  });
}

/**
 * Returns the account with the address `wanted.email`, even if its uid isn't `wanted.uid`, because the shop's user
 * stream may already refer to this account. If there is none, returns the account with `wanted.uid`, whose e-mail
 * address has evidently been changed.
 */
async function findAccount(emulator: EmulatorAddress, wanted: DemoAccount): Promise<Account | undefined> {
  const path = '/identitytoolkit.googleapis.com/v1/projects/{project}/accounts:lookup';
  const answer = await callAsOwner(emulator, 'POST', path, { email: [wanted.email], localId: [wanted.uid] });
  const { users } = lookupSchema.parse(answer);
  return users.find((user) => user.email === wanted.email) ?? users[0];
}

export function announceDemoAccounts(print: (line: string) => void): void {
  for (const { role, email, password } of DEMO_ACCOUNTS) {
    print(`demo ${(role === 'admin' ? 'admin' : 'shopper').padEnd(8)} ${email.padEnd(28)} ${password}`);
  }
}
