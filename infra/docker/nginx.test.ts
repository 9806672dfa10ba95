import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PROBLEMS, problemDetailsSchema } from '../../services/contracts/problems.ts';

const CONFIGURATION = readFileSync(new URL('./nginx.conf', import.meta.url), 'utf8');

describe('what nginx itself refuses', () => {
  it('reads as the same problem of the api', () => {
    const refusals = [...CONFIGURATION.matchAll(/return (\d{3}) '(\{.*\})';/g)];
    expect(refusals).toHaveLength(3);
    for (const [, status, body = ''] of refusals) {
      const problem = problemDetailsSchema.parse(JSON.parse(body));
      expect(problem).toEqual({ type: `/docs#${problem.code}`, code: problem.code, ...PROBLEMS[problem.code] });
      expect(Number(status)).toBe(problem.status);
    }
  });
});
