import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Starts a server on a free port of the loopback address, and returns the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

/**
 * Finds a free port for callers that need the number before they listen. The port is below the ephemeral ports (from
 * 32768 on Linux, from 49152 on other systems), so the system assigns the port to no other program meanwhile.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port);
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
