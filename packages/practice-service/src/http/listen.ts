import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';

/** How long requests in flight may take to finish when the service closes, ms. */
const CLOSE_TIMEOUT_MS = 2_000;

interface Listening {
  url: string;
  /** Closes every connection and refuses new ones. */
  goDown(): Promise<void>;
  /** Listens on the same port again. Rejects if another program has taken it meanwhile. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on loopback. `port` 0 takes a free one. Rejects if the port is taken. */
export async function listen(
  answer: (request: Request, env: HttpBindings) => Promise<Response>,
  port: number,
): Promise<Listening> {
  const listener = getRequestListener((request, { incoming, outgoing }) => {
    if (!(incoming instanceof IncomingMessage && outgoing instanceof ServerResponse)) return undefined;
    return answer(request, { incoming, outgoing });
  });
  const server = createServer((incoming, outgoing) => {
    listener(incoming, outgoing).catch((error: unknown) => {
      console.error('The service failed at a request:', error);
      outgoing.destroy();
    });
  });
  const listenOn = (chosen: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(chosen, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const end = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  await listenOn(port);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async goDown() {
      if (!server.listening) return;
      const ended = end();
      server.closeAllConnections();
      await ended;
    },
    async comeBack() {
      if (!server.listening) await listenOn(address.port);
    },
    async close() {
      const cutOff = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      await end();
      clearTimeout(cutOff);
    },
  };
}
