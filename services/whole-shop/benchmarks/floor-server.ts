import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { Server } from 'socket.io';

/**
 * The floor that the shop is compared with. Express reads a JSON body and responds with 201, and socket.io pushes the
 * body to every client. Express also returns a list that was uploaded before. The server checks and decides nothing,
 * and stores no orders. It runs as a process of its own and prints `ready URL`.
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
