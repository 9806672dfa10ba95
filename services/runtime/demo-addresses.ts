import type { Config } from './config.ts';

export interface DemoAddresses {
  /** host:port */
  readonly emulatorHost: string;
  /** e.g. `http://127.0.0.1:4010` */
  readonly simulatorUrl: string;
}

/**
 * Returns the addresses of demo providers that were started separately, or null if the providers are real or the shop
 * starts them itself.
 */
export function demoAddressesOf({ stripe, firebase }: Config): DemoAddresses | null {
  if (stripe.mode === 'live' || firebase.mode === 'live') return null;
  if (!stripe.simulatorUrl || !firebase.emulatorHost) return null;
  return { emulatorHost: firebase.emulatorHost, simulatorUrl: stripe.simulatorUrl };
}
