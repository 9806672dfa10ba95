import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, problemSchema } from '../../services/contracts/problems.ts';

const CONFIGURATION = readFileSync(new URL('./nginx.conf', import.meta.url), 'utf8');
const DOCKERFILE = readFileSync(new URL('./Dockerfile', import.meta.url), 'utf8');
const COMPOSE = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');

describe('requests that nginx itself refuses', () => {
  it('a request that nginx refuses gets the same problem response that the API would send', () => {
    const refusals = [...CONFIGURATION.matchAll(/return (\d{3}) '(\{.*\})';/g)];
    expect(refusals).toHaveLength(3);
    for (const [, status, body = ''] of refusals) {
      const problem = problemSchema.parse(JSON.parse(body));
      expect(problem).toEqual({ type: `/docs#${problem.code}`, code: problem.code, ...PROBLEMS[problem.code] });
      expect(Number(status)).toBe(problem.status);
    }
  });
});

describe('pages that are opened while no api can be reached', () => {
  const [, pattern = ''] =
    /map "\$request_method \$http_sec_fetch_mode \$http_accept" \$restarting \{[^}]*'~(.*)' \/starting\.html;/.exec(
      CONFIGURATION,
    ) ?? [];
  const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8';

  it.each([`GET navigate ${ACCEPT}`, `HEAD navigate ${ACCEPT}`, `GET  ${ACCEPT}`])(
    'START2 nginx serves the page that reloads itself for the request %s',
    (request) => {
      expect(pattern).not.toBe('');
      expect(request).toMatch(new RegExp(pattern));
      expect(CONFIGURATION).toContain('error_page 502 504 =503 $restarting;');
    },
  );

  it.each([`GET cors ${ACCEPT}`, 'GET no-cors */*', 'GET  */*', `POST navigate ${ACCEPT}`, `OPTIONS  ${ACCEPT}`])(
    'START2 nginx serves a problem for the request %s',
    (request) => expect(request).not.toMatch(new RegExp(pattern)),
  );

  it('START2 the images of nginx and of the services contain the page', () => {
    expect(DOCKERFILE).toContain('COPY web/starting.html /usr/share/nginx/html/\n');
    expect(DOCKERFILE).toContain('COPY web/starting.html web/\n');
  });
});

describe("nginx's logs", () => {
  it("LOG3 nginx logs no failed requests, because a request's path can contain an e-mail address", () => {
    expect(CONFIGURATION.match(/^error_log [^;]*/gm)).toEqual(['error_log stderr crit']);
  });

  it('TRACK3 nginx has no access log and logs no errors about requests for tracking links', () => {
    expect(CONFIGURATION.match(/access_log [^;]*/g)).toEqual(['access_log off']);
    const track = /location ~\* \^\/track\/ \{([^}]*)\}/.exec(CONFIGURATION)?.[1];
    expect(track).toContain('error_log stderr emerg;');
    expect(track).toContain('proxy_pass http://$api:8080;');
  });
});

describe("the containers' resource limits", () => {
  it('nginx runs two workers with enough file descriptors for their connections', () => {
    const setting = (name: string) => Number(new RegExp(`${name} (\\d+);`).exec(CONFIGURATION)?.[1]);
    expect(setting('worker_processes')).toBe(2);
    expect(setting('worker_rlimit_nofile')).toBeGreaterThan(setting('worker_connections'));
  });

  it('BOARD3 nginx writes no temporary files for slow clients, because /tmp is in memory', () => {
    expect(CONFIGURATION).toContain('proxy_max_temp_file_size 0;');
  });

  it('MongoDB is limited to 1 GB unless MONGO_MEMORY is set', () => {
    expect(COMPOSE).toMatch(/memory: \$\{MONGO_MEMORY:-1g\}/);
  });
});

describe('stopping the containers', () => {
  it('Ctrl-C and SIGTERM stop every program in a services container, because an init process runs the programs', () => {
    const role = /^x-role: &role\n((?: .*\n)+)/m.exec(COMPOSE)?.[1];
    expect(role).toContain('\n  init: true\n');
  });
});
