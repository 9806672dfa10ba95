import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Server } from 'socket.io';

/**
 * A minimal server that the shop is compared with. In the results tables, it is called the floor. It responds to every
 * posted order with 201, and pushes the order to all clients over socket.io. It also serves a product list that was
 * uploaded earlier. It doesn't check or decide anything, and stores nothing but that list. It runs in a separate
 * process, and prints `ready URL` once it accepts requests.
 */
const app = express();
const server = createServer(app);
const io = new Server(server, { transports: ['websocket'], serveClient: false });
let count = 0;
app.post('/orders', express.json(), (request, response) => {
  count += 1;
  response.status(201).json({ acknowledged: true, insertedId: String(count), version: 1 });
  io.emit('view', { id: String(count), view: request.body });
});
let list = Buffer.alloc(0);
app.put('/products', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  list = request.body;
  response.status(204).end();
});
app.get('/products', (_request, response) => {
  response.type('json').send(list);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
