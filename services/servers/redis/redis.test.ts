import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withoutCommand } from './redis.ts';

describe('failure of a Redis command', () => {
  it('is reported without the data of the command, wherever the client or the server put it', () => {
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

  it('is always an error, whatever was thrown', () => {
    expect(withoutCommand('gone')).toEqual(new Error('gone'));
  });
});
