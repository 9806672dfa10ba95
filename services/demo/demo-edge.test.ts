import { expect, it } from 'vitest';
import { type EmbeddedConfig, readConfig } from '../runtime/config.ts';
import { openDemoEdge } from './demo-edge.ts';

/** Returns the lines that a demo shop with these environment variables prints when it opens. */
function printed(variables: Record<string, string>): string[] {
  const lines: string[] = [];
  const addresses = { emulatorHost: '127.0.0.1:9', simulatorUrl: 'http://127.0.0.1:9' };
  const print = (line: string) => void lines.push(line);
  const config = readConfig(variables) as EmbeddedConfig;
  if (config.providers.mode !== 'demo') throw new Error('The configuration is not a demo.');
  openDemoEdge(
    { ...config.providers, addresses },
    {
      config,
      origin: 'http://192.168.0.7:8080',
      print,
      stripeSecretKey: 'sk_test_x',
    },
  );
  return lines;
}

it('AUTH4 at startup, a demo shop prints a security warning only if other machines can reach the shop', () => {
  expect(printed({ HOST: '0.0.0.0', DEMO_PUBLIC: '1' })).toEqual([
    expect.stringMatching(/^demo open to others at http:\/\/192\.168\.0\.7:8080: anyone can sign in as its admin/),
  ]);
  expect(printed({})).toEqual([]);
});
