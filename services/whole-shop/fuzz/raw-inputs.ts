import fc from 'fast-check';
import { hostileJson, hostileText } from './hostile-values.ts';
import type { RawInput } from './input.ts';

const REQUEST_LINES = [
  'GET / HTTP/1.1',
  'GET / HTTP/1.0',
  'GET / HTTP/9.9',
  'POST /orders HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT shop:443 HTTP/1.1',
  'GET http://elsewhere/ HTTP/1.1',
  'GET //elsewhere/%2f.. HTTP/1.1',
];
const RAW_HEADERS = [
  'Host: 127.0.0.1',
  'Host:',
  'Host: a\r\nHost: b',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: xchunked',
  'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
  'Connection: upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Expect: nonsense',
  'Content-Type: application/json',
  'X-Odd: \u0000\u0001',
  `X-Long: ${'x'.repeat(20_000)}`,
];

/** Requests that no ordinary HTTP client would send. */
export const raw: fc.Arbitrary<RawInput> = fc
  .tuple(
    fc.oneof(fc.constantFrom(...REQUEST_LINES), hostileText),
    fc.subarray(RAW_HEADERS, { maxLength: 4 }),
    fc.array(fc.oneof(hostileText, fc.constantFrom('5\r\nhello\r\n0\r\n\r\n', 'ffffffffffffffff\r\n', '{}')), {
      maxLength: 3,
    }),
  )
  .map(([line, headers, rest]) => ({ part: 'raw', chunks: [`${[line, ...headers].join('\r\n')}\r\n\r\n`, ...rest] }));

const UPGRADE =
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/**
 * Returns a WebSocket frame that is masked like a browser's frames, but with an all-zero key (RFC 6455, 5.2). Cuts the
 * payload to 65,535 bytes.
 */
function frame(opcode: number, payload: string): string {
  const bytes = Buffer.from(payload, 'utf8').subarray(0, 65_535);
  const head = bytes.length < 126 ? [0x80 | bytes.length] : [0xfe, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), bytes]).toString('latin1');
}

const packet = fc.oneof(
  fc.constantFrom(
    '2',
    '3',
    '40',
    '41',
    '40{"token":"x"}',
    '40{"token":1}',
    '40[]',
    '42["view",{}]',
    '42',
    '45',
    '451-[{"_placeholder":true,"num":9}]',
    '6',
  ),
  hostileJson.map((auth) => `40${JSON.stringify(auth)}`),
  fc.tuple(hostileText, hostileJson).map((event) => `42${JSON.stringify(event)}`),
  hostileText,
);

/** A WebSocket handshake, followed by valid and invalid frames and packets. */
export const socket: fc.Arbitrary<RawInput> = fc
  .array(fc.tuple(fc.constantFrom(1, 1, 1, 2, 8, 9, 10, 3, 15), packet), { minLength: 1, maxLength: 6 })
  .map((frames) => ({ part: 'socket', chunks: [UPGRADE, ...frames.map(([opcode, text]) => frame(opcode, text))] }));
