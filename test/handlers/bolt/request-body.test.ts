import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBodyReader } from '../../../src/handlers/bolt/signed-requests.ts';
import { listenOnFreePort } from '../../support/listening-port.ts';

test('if all incoming request bodies together exceed their memory limit, the oldest is given up', async () => {
  const bodies: unknown[] = [];
  const readBody = createBodyReader(10_000);
  let receivedBytes = 0;
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
    });
    const recordBody = (body: unknown) => {
      bodies.push(Buffer.isBuffer(body) ? body.length : body);
      response.end();
    };
    readBody(request).then(recordBody, recordBody);
  });
  const port = await listenOnFreePort(server);
  const sockets = [1, 2, 3].map(() => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  const [first, second, third] = sockets;
  const createHead = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
  first?.write(`${createHead(9_000)}${'x'.repeat(8_000)}`);
  await expect.poll(() => receivedBytes).toBe(8_000);
  second?.write(`${createHead(3_000)}${'x'.repeat(2_999)}`);
  await expect.poll(() => bodies).toEqual(['busy']);
  second?.write('x');
  await expect.poll(() => bodies).toEqual(['busy', 3_000]);
  third?.write(`${createHead(10_000)}${'x'.repeat(10_000)}`);
  await expect.poll(() => bodies).toEqual(['busy', 3_000, 10_000]);
});
