import { readFileSync } from 'node:fs';
import type { KafkaSecurityConfig } from '../../runtime/config.ts';
import { ReadableError } from '../../runtime/readable-error.ts';

/** TLS and SASL as connections to Kafka take them: PEM texts and credentials. */
export interface KafkaSecurity {
  /** `ca` is trusted beside nothing else; without it the authorities of this machine are */
  readonly tls?: { ca?: string[]; cert?: string; key?: string };
  readonly sasl?: {
    mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    username: string;
    password: string;
  };
}

/** A file that the configuration names cannot be read. */
export class KafkaSecurityError extends ReadableError {
  override readonly name = 'KafkaSecurityError';
}

/** Reads the files that a configuration names. @throws KafkaSecurityError */
export function loadKafkaSecurity({ tls, sasl }: KafkaSecurityConfig): KafkaSecurity {
  return {
    ...(tls && {
      tls: {
        ...(tls.caFile !== null && { ca: [read('KAFKA_CA_FILE', tls.caFile)] }),
        ...(tls.certFile !== null && { cert: read('KAFKA_CERT_FILE', tls.certFile) }),
        ...(tls.keyFile !== null && { key: read('KAFKA_KEY_FILE', tls.keyFile) }),
      },
    }),
    ...(sasl && {
      sasl: {
        ...{ mechanism: sasl.mechanism, username: sasl.username },
        // A file made by an editor or by echo ends in a line break that is no part of the password.
        password: sasl.password ?? read('KAFKA_PASSWORD_FILE', sasl.passwordFile ?? '').replace(/\r?\n$/, ''),
      },
    }),
  };
}

function read(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new KafkaSecurityError(`${variable}: ${(error as Error).message}.`, { cause: error });
  }
}
