import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KafkaSecurityError, loadKafkaSecurity } from './kafka-security.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kafka-security-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const tls = { caFile: null, certFile: null, keyFile: null };
const sasl = { mechanism: 'plain', username: 'shop', password: null } as const;

describe('certificate and password files for a secured broker', () => {
  it.each([
    ['KAFKA_CA_FILE', (file: string) => ({ tls: { ...tls, caFile: file }, sasl: null })],
    ['KAFKA_CERT_FILE', (file: string) => ({ tls: { ...tls, certFile: file }, sasl: null })],
    ['KAFKA_KEY_FILE', (file: string) => ({ tls: { ...tls, keyFile: file }, sasl: null })],
    ['KAFKA_PASSWORD_FILE', (file: string) => ({ tls: null, sasl: { ...sasl, passwordFile: file } })],
  ])('START1 an unreadable file in %s causes a one-line error that names the variable', (variable, configOf) => {
    for (const file of [join(folder, 'missing'), folder]) {
      const load = () => loadKafkaSecurity(configOf(file));
      expect(load).toThrow(KafkaSecurityError);
      expect(load).toThrow(new RegExp(`^${variable}: .+$`));
    }
  });

  it('the line break at the end of a password file is removed, but all other whitespace is kept', () => {
    const file = join(folder, 'password');
    for (const end of ['', '\n', '\r\n']) {
      writeFileSync(file, ` pass word ${end}`);
      const security = loadKafkaSecurity({ tls: null, sasl: { ...sasl, passwordFile: file } });
      expect(security).toMatchObject({ sasl: { password: ' pass word ' } });
    }
  });
});
