import { readFileSync } from 'node:fs';
import type { KafkaConfig, SASLOptions } from 'kafkajs';
import type { KafkaSecurityConfig } from '../../runtime/config.ts';
import { ReadableError } from '../../runtime/readable-error.ts';

/**
 * kafkajs's `ssl` and `sasl` options, with certificates and keys as PEM text. Without `ca`, Node's default certificate
 * authorities are trusted.
 */
export type KafkaSecurity = Pick<KafkaConfig, 'ssl' | 'sasl'>;

export class KafkaSecurityError extends ReadableError {
  override readonly name = 'KafkaSecurityError';
}

/**
 * Reads the certificate, key and password files named in the configuration. @throws KafkaSecurityError if a file can't
 * be read
 */
export function loadKafkaSecurity({ tls, sasl }: KafkaSecurityConfig): KafkaSecurity {
  return {
    ...(tls && {
      ssl: {
        ...(tls.caFile !== null && { ca: [read('KAFKA_CA_FILE', tls.caFile)] }),
        ...(tls.certFile !== null && { cert: read('KAFKA_CERT_FILE', tls.certFile) }),
        ...(tls.keyFile !== null && { key: read('KAFKA_KEY_FILE', tls.keyFile) }),
      },
    }),
    ...(sasl && {
      sasl: {
        mechanism: sasl.mechanism,
        username: sasl.username,
        // Editors and `echo` end a file with a line break, which isn't part of the password.
        password: sasl.password ?? read('KAFKA_PASSWORD_FILE', sasl.passwordFile ?? '').replace(/\r?\n$/, ''),
      } as SASLOptions,
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
