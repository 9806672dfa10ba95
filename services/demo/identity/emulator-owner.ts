/** How long the emulator may take to answer one call, in milliseconds. */
const CALL_TIMEOUT = 10_000;

/** Which emulator: `host` is `127.0.0.1:port`. */
export interface EmulatorAddress {
  host: string;
  projectId: string;
}

/**
 * Calls the identity emulator with the powers of the project's owner. Never reached from a browser (emulator-proxy.ts).
 * @throws Error naming the emulator's own message where it refuses
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
    signal: AbortSignal.timeout(CALL_TIMEOUT),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The identity emulator answered ${answer.status} to ${method} ${path}: ${text}`);
  return JSON.parse(text);
}
