import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  type ApiClient,
  type ApiClientOptions,
  type CallRecord,
  createApiClient,
} from '../../src/api/client.ts';

export const TOKEN = 'token-that-nobody-may-see';

interface ReceivedRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Responder = (response: ServerResponse, request: ReceivedRequest) => void;

/** Listens on loopback until the test ends, then closes open sockets. Returns the address without a trailing slash. */
export async function listenOnLoopback(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Starts a service that responds to every request with `respond`. `requests` has the requests that it received. */
export async function startServer(respond: Responder): Promise<{ url: string; requests: ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('error', () => {});
    request.on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const receivedRequest = { method, url, headers, body };
      requests.push(receivedRequest);
      respond(response, receivedRequest);
    });
  });
  return { url: await listenOnLoopback(server), requests };
}

/** Creates a responder with this status, body and headers. A text body is sent unchanged, any other as JSON. */
export function createResponder(
  status: number,
  body: unknown = '',
  headers: Record<string, string> = {},
): Responder {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
}

/** Creates a client of `baseUrl` that is closed when the test ends. `calls` has its call records. */
export function createTestClient(
  baseUrl: string,
  options: Partial<ApiClientOptions> = {},
): { client: ApiClient; calls: CallRecord[] } {
  const calls: CallRecord[] = [];
  const client = createApiClient({ baseUrl, token: TOKEN, onCall: (call) => calls.push(call), ...options });
  onTestFinished(() => client.close());
  return { client, calls };
}
