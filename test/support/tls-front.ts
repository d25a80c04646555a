import { request } from 'node:http';
import { createServer } from 'node:https';
import type { Lookup } from '../../src/api/http/connector.ts';
import { listenOnFreePort } from './listening-port.ts';
import { createSelfSignedCertificate } from './self-signed.ts';

/** The host name of the service behind the proxy. */
export const HOST = 'posts.example.com';

/** Starts a TLS proxy in front of a service. */
export async function startTlsFront(
  target: string,
  names: readonly string[] = [HOST],
  { key, cert } = createSelfSignedCertificate(names),
) {
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const forwarded = request(new URL(url, target), { ...(method && { method }), headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  // A keep-alive connection that closes when it is reused would look like an unreachable service.
  server.keepAliveTimeout = 60_000;
  let connectionCount = 0;
  server.on('secureConnection', () => {
    connectionCount += 1;
  });
  const port = await listenOnFreePort(server);
  return {
    url: `https://${HOST}:${port}/`,
    port,
    /** The certificate to trust. */
    ca: cert,
    /** The number of connections so far. */
    countConnections: () => connectionCount,
    closeConnections: () => server.closeAllConnections(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Creates a `dns.lookup` that answers each call with the next of these lists of addresses. */
export function createScriptedLookup(...answers: (readonly string[])[]): {
  lookup: Lookup;
  lookedUpNames: string[];
} {
  const lookedUpNames: string[] = [];
  const lookup: Lookup = (hostname, _options, callback) => {
    const addresses = answers[Math.min(lookedUpNames.length, answers.length - 1)] ?? [];
    lookedUpNames.push(hostname);
    const records = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    setImmediate(() => callback(null, records));
  };
  return { lookup, lookedUpNames };
}
