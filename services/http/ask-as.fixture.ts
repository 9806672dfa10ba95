import { request } from 'node:http';

/** Sends a GET with an arbitrary Host header, which `fetch` doesn't allow. */
export async function askAs(url: string, path: string, host: string | null, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const asked = request({ hostname, port, path, headers: { ...headers, host: host ?? '' } }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}
