import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withoutCommand } from './redis.ts';

describe('a failed Redis command', () => {
  it("a failed Redis command is reported without the command's data, wherever the client or the server put the data", () => {
    const failure = Object.assign(
      new Error(
        "ERR unknown command 'PUBLISH', with args beginning with: 'pushes' '{\"email\":\"farida@example.com\"}'",
      ),
      { name: 'ReplyError', code: 'ERR', command: { name: 'publish', args: ['pushes', 'farida@example.com'] } },
    );
    const told = withoutCommand(failure);
    expect(told).toMatchObject({ name: 'ReplyError', code: 'ERR', message: "ERR unknown command 'PUBLISH'" });
    expect(inspect(told, { depth: 9, showHidden: true })).not.toContain('farida');
  });

  it('a failed Redis command is always reported as an Error, whatever was thrown', () => {
    expect(withoutCommand('gone')).toEqual(new Error('gone'));
  });
});
