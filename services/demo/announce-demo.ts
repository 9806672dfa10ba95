import type { Config } from '../runtime/config.ts';
import { DEMO_ACCOUNTS } from './identity/demo-accounts.ts';

/** Says what it means that others can reach a demo shop. */
export function announceDemoPublic(
  { demoPublic, publicOrigin }: Config,
  origin: string,
  print: (line: string) => void,
): void {
  if (!demoPublic) return;
  print(
    `demo open to others at ${publicOrigin ?? origin}: anyone can sign in as its admin, reset any password and read every mail. Keep nothing real in it.`,
  );
}

/** Says whom one can sign in as. */
export function announceDemoAccounts(print: (line: string) => void): void {
  for (const { role, email, password } of DEMO_ACCOUNTS) {
    print(`demo ${(role === 'admin' ? 'admin' : 'shopper').padEnd(8)} ${email.padEnd(28)} ${password}`);
  }
}
