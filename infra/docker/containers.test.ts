import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, problemSchema } from '../../services/contracts/problems.ts';

const CONFIGURATION = readFileSync(new URL('./nginx.conf', import.meta.url), 'utf8');
const COMPOSE = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');

describe('what nginx itself refuses', () => {
  it('reads as the same problem of the api', () => {
    const refusals = [...CONFIGURATION.matchAll(/return (\d{3}) '(\{.*\})';/g)];
    expect(refusals).toHaveLength(3);
    for (const [, status, body = ''] of refusals) {
      const problem = problemSchema.parse(JSON.parse(body));
      expect(problem).toEqual({ type: `/docs#${problem.code}`, code: problem.code, ...PROBLEMS[problem.code] });
      expect(Number(status)).toBe(problem.status);
    }
  });
});

describe('what nginx logs', () => {
  it('TRACK3 holds no path of a request, and nothing at all of a tracking link', () => {
    expect(CONFIGURATION.match(/access_log [^;]*/g)).toEqual(['access_log off']);
    const track = /location ~\* \^\/track\/ \{([^}]*)\}/.exec(CONFIGURATION)?.[1];
    expect(track).toContain('error_log stderr emerg;');
    expect(track).toContain('proxy_pass http://$api:8080;');
  });
});

describe('what the containers may take of the machine', () => {
  it('M9 nginx has two workers, and files for all of their connections', () => {
    const setting = (name: string) => Number(new RegExp(`${name} (\\d+);`).exec(CONFIGURATION)?.[1]);
    expect(setting('worker_processes')).toBe(2);
    expect(setting('worker_rlimit_nofile')).toBeGreaterThan(setting('worker_connections'));
  });

  it('V13 BOARD3 nginx holds no long answer in memory for a reader who takes it slowly', () => {
    expect(CONFIGURATION).toContain('proxy_max_temp_file_size 0;');
  });

  it('M5 MongoDB takes 1 GB unless MONGO_MEMORY says otherwise', () => {
    expect(COMPOSE).toMatch(/memory: \$\{MONGO_MEMORY:-1g\}/);
  });
});

describe('how the containers end', () => {
  it('V14 Ctrl-C and SIGTERM end prepare and the commands that are run in its place', () => {
    const role = /^x-role: &role\n((?: .*\n)+)/m.exec(COMPOSE)?.[1];
    expect(role).toContain('\n  init: true\n');
  });
});
