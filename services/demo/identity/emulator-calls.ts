/** The calls on one's own account that the browser's Firebase SDK makes in this shop, each as `POST /v1/accounts:<call>`. */
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

/** Every path of the emulator's API that this shop calls, as its OpenAPI document names them. */
export const CALLED_PATHS: readonly string[] = [
  ...ACCOUNT_CALLS.map((call) => `/v1/accounts:${call}`),
  '/v1/token',
  '/v1/projects',
  // As its owner: accounts are made and removed, sessions checked, mails read.
  OWNED_ACCOUNTS,
  `${OWNED_ACCOUNTS}:delete`,
  `${OWNED_ACCOUNTS}:lookup`,
  `${OWNED_ACCOUNTS}:update`,
  '/emulator/v1/projects/{targetProjectId}/oobCodes',
];
