/** The calls that the browser's Firebase SDK makes, each as `POST /v1/accounts:<call>`. */
export const ACCOUNT_CALLS = [
  'signUp',
  'signInWithPassword',
  'signInWithIdp',
  'lookup',
  'update',
  'delete',
  'resetPassword',
  'createAuthUri',
  'sendOobCode',
] as const;

const OWNED_ACCOUNTS = '/v1/projects/{targetProjectId}/accounts';

/** Every path in the emulator's OpenAPI document that this shop calls. */
export const CALLED_PATHS: readonly string[] = [
  ...ACCOUNT_CALLS.map((call) => `/v1/accounts:${call}`),
  '/v1/token',
  '/v1/projects',
  // The shop makes these calls as the project's owner, to create and remove accounts, check sessions and read e-mails.
  OWNED_ACCOUNTS,
  `${OWNED_ACCOUNTS}:delete`,
  `${OWNED_ACCOUNTS}:lookup`,
  `${OWNED_ACCOUNTS}:update`,
  '/emulator/v1/projects/{targetProjectId}/oobCodes',
];

const TIMEOUT_MS = 10_000;

export interface EmulatorAddress {
  host: string;
  projectId: string;
}

/**
 * Calls the emulator as the project's owner, which browsers cannot do (emulator-proxy.ts).
 * @throws Error that quotes the emulator's response if it isn't a 2xx
 */
export async function callAsOwner(
  emulator: EmulatorAddress,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(`http://${emulator.host}${path.replace('{project}', emulator.projectId)}`, {
    method,
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The identity emulator answered ${answer.status} to ${method} ${path}: ${text}`);
  return JSON.parse(text);
}

/** Calls the emulator as a browser would. Returns whether the emulator accepted the call. @throws Error on a 5xx response */
export async function callAccounts(host: string, call: (typeof ACCOUNT_CALLS)[number], body: object): Promise<boolean> {
  const answer = await fetch(`http://${host}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.arrayBuffer();
  if (answer.status >= 500) throw new Error(`The identity emulator responded with ${answer.status}.`);
  return answer.ok;
}
