import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';

/** How long requests that are being answered may take to finish when the service closes, ms. */
const FAREWELL = 2_000;

/** Serves the app on this machine only. `port` 0 takes a free one. Rejects when the port is taken. */
export async function listen(app: Hono, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the service listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        const cutOff = setTimeout(() => {
          if ('closeAllConnections' in server) server.closeAllConnections();
        }, FAREWELL);
        server.close(() => {
          clearTimeout(cutOff);
          resolve();
        });
      }),
  };
}
