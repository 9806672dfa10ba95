import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { builtPrograms } from '../../whole-shop/test-programs.fixture.ts';
import { type ProviderProcess, startProvider } from '../start-provider.ts';

export const PROJECT = 'demo-shop';

type IdentityEmulator = Pick<ProviderProcess, 'pid' | 'exited' | 'stop'> & { readonly host: string };

export interface TestEmulator {
  emulator: IdentityEmulator;
  dataFile: string;
  /** starts another emulator process with the same data file */
  restart(): Promise<IdentityEmulator>;
  dispose(): Promise<void>;
}

/** Starts the real emulator in a child process, with its data in a fresh directory. */
export async function startTestEmulator(): Promise<TestEmulator> {
  const directory = await mkdtemp(join(tmpdir(), 'identity-'));
  const dataFile = join(directory, 'data', 'users.json');
  const start = async () => {
    const settings = { dataFile, projectId: PROJECT, loopback: true };
    const process = await startProvider('emulator', settings, { builtIn: await builtPrograms() });
    await process.ready;
    return { ...process, host: `127.0.0.1:${process.port}` };
  };
  const running = [await start()];
  return {
    emulator: running[0] as IdentityEmulator,
    dataFile,
    async restart() {
      const emulator = await start();
      running.push(emulator);
      return emulator;
    },
    async dispose() {
      await Promise.all(running.map((emulator) => emulator.stop()));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const answerSchema = z.looseObject({
  idToken: z.string().default(''),
  refreshToken: z.string().default(''),
  localId: z.string().default(''),
  email: z.string().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
export type IdentityAnswer = z.infer<typeof answerSchema> & { status: number };

/** Calls `accounts:<call>` as the browser's SDK does. `origin` is the origin of the emulator or of the shop. */
export async function callAccounts(origin: string, call: string, body: unknown): Promise<IdentityAnswer> {
  const answer = await fetch(`${origin}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { ...answerSchema.parse(text ? JSON.parse(text) : {}), status: answer.status };
}

/** Returns the request body for signing in with a Google account. The emulator accepts plain JSON as the credential. */
export function googleCredential(email: string, name: string): object {
  const claims = { sub: `google-${email}`, email, email_verified: true, name };
  return {
    postBody: new URLSearchParams({ id_token: JSON.stringify(claims), providerId: 'google.com' }).toString(),
    requestUri: 'http://localhost',
    returnSecureToken: true,
  };
}

/** Returns a copy of the token with changed claims. The copy is unsigned, like the emulator's own tokens. */
export function forgeToken(idToken: string, changes: object): string {
  const [header, payload] = idToken.split('.');
  const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')}.`;
}
