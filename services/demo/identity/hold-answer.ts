import type { ServerResponse } from 'node:http';

/**
 * Calls `save` when the response is complete, and sends the response only after `save` has resolved. If `save` fails,
 * the caller gets 500, because the change may be lost when this process exits.
 */
export function holdAnswer(response: ServerResponse, save: () => Promise<void>): void {
  const end = response.end.bind(response);
  const chunks: Buffer[] = [];

  function keep(chunk: unknown, encoding: unknown): void {
    if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encodingOf(encoding)));
  }

  function give(error?: unknown): void {
    if (error === undefined) {
      end(Buffer.concat(chunks));
      return;
    }
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = 500;
    response.setHeader('content-type', 'application/json');
    end(JSON.stringify({ error: { code: 500, message: 'INTERNAL_ERROR : The users could not be saved.' } }));
    console.error(`The users of the identity emulator could not be saved: ${String(error)}`);
  }

  response.write = (chunk: unknown, second?: unknown, third?: unknown): boolean => {
    keep(chunk, second);
    const done = typeof second === 'function' ? second : third;
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  response.end = (chunk?: unknown, second?: unknown): ServerResponse => {
    keep(chunk, second);
    save().then(() => give(), give);
    return response;
  };
}

function encodingOf(value: unknown): BufferEncoding {
  return typeof value === 'string' && Buffer.isEncoding(value) ? value : 'utf8';
}
