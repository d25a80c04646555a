import { generateKeyPairSync, sign } from 'node:crypto';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { Lookup } from '../../src/api/http/connector.ts';
import { listenOnFreePort } from './listening-port.ts';

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

/** Encodes an element in DER (ITU-T X.690): tag, length, content. */
function encodeDer(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const bytes = content.length < 0x80 ? [] : [content.length >> 8, content.length & 0xff];
  const length = bytes.length === 0 ? [content.length] : [0x82, ...bytes];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const parseHex = (text: string) => Buffer.from(text, 'hex');
const encodeSequence = (...parts: Buffer[]) => encodeDer(0x30, ...parts);
const COMMON_NAME = parseHex('0603550403');
const ALTERNATIVE_NAMES = parseHex('0603551d11');
const ECDSA_WITH_SHA256 = encodeSequence(parseHex('06082a8648ce3d040302'));

/** Creates a key and a self-signed certificate for these host names (X.509 v3, RFC 5280), both as PEM. */
export function createSelfSignedCertificate(names: readonly string[]): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = encodeSequence(
    encodeDer(0x31, encodeSequence(COMMON_NAME, encodeDer(0x0c, Buffer.from('a test')))),
  );
  const encodeTime = (text: string) => encodeDer(0x17, Buffer.from(text));
  const hosts = encodeSequence(...names.map((host) => encodeDer(0x82, Buffer.from(host))));
  const toSign = encodeSequence(
    encodeDer(0xa0, parseHex('020102')),
    parseHex('020101'),
    ECDSA_WITH_SHA256,
    name,
    encodeSequence(encodeTime('200101000000Z'), encodeTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, encodeSequence(encodeSequence(ALTERNATIVE_NAMES, encodeDer(0x04, hosts)))),
  );
  const signature = sign('sha256', toSign, privateKey);
  const cert = encodeSequence(
    toSign,
    ECDSA_WITH_SHA256,
    encodeDer(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = cert.toString('base64').replaceAll(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
