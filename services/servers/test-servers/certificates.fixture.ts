import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A certificate authority for tests, and certificates that it signed for a client and for a server at 127.0.0.1. All
 * certificates and keys are PEM text.
 */
export interface Certificates {
  readonly folder: string;
  readonly ca: string;
  readonly server: { readonly cert: string; readonly key: string };
  readonly client: { readonly cert: string; readonly key: string };
  remove(): void;
}

/**
 * Creates certificates with openssl. They are valid for one day, and are also stored in `folder`, in files such as
 * `ca.pem`, `client.pem` and `client.key`.
 */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'rsa:2048', '-noenc', '-days', '1'];
  openssl('req', '-x509', ...key, '-subj', '/CN=test authority', '-keyout', 'ca.key', '-out', 'ca.pem');
  for (const [name, more] of [
    ['server', ['-addext', 'subjectAltName=IP:127.0.0.1']],
    ['client', []],
  ] as const) {
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-keyout', `${name}.key`, '-out', `${name}.pem`];
    openssl(
      'req',
      '-x509',
      ...key,
      '-subj',
      `/CN=${name}`,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
      ...more,
      ...signed,
    );
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const pair = (name: string) => ({ cert: read(`${name}.pem`), key: read(`${name}.key`) });
  return {
    folder,
    ca: read('ca.pem'),
    server: pair('server'),
    client: pair('client'),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
