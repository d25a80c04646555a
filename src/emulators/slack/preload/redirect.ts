import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls from 'node:tls';

/**
 * Redirects connections to slack.com and its subdomains to the workspace at SLACK_API_URL, for apps with fixed addresses:
 * `node --import ./redirect.js app.js`. Replaces `tls.connect`, by which https, fetch, undici, axios and ws open their
 * connections. Clients that offer HTTP/2 get HTTP/1.1, which Slack's SDKs use.
 */

const workspace = URL.parse(process.env.SLACK_API_URL ?? '');
if (!workspace) throw new Error('Set SLACK_API_URL to the address that the workspace prints at its start');
const { hostname, port } = workspace;

const SLACK = /^(?:.+\.)?slack\.com$/i;
const connectSecurely = tls.connect;

interface TlsTarget extends tls.ConnectionOptions {
  hostname?: string;
}

/** Reads the arguments of `tls.connect` in each of its three forms. */
function readTarget(given: readonly unknown[]): TlsTarget {
  const objects: TlsTarget[] = given.filter((value) => typeof value === 'object' && value !== null);
  const [first, second] = given;
  return {
    ...(typeof first === 'number' && { port: first }),
    ...(typeof second === 'string' && { host: second }),
    ...objects[0],
  };
}

/** The properties of a TLS socket that clients read. The connection isn't encrypted: the workspace serves plain HTTP. */
const TLS_PROPERTIES = {
  encrypted: true,
  authorized: true,
  alpnProtocol: false,
  getPeerCertificate: () => ({}),
  getProtocol: () => 'TLSv1.3',
  getCipher: () => ({
    name: 'TLS_AES_256_GCM_SHA384',
    standardName: 'TLS_AES_256_GCM_SHA384',
    version: 'TLSv1.3',
  }),
  getSession: () => undefined,
  isSessionReused: () => false,
};

function connectToWorkspace(given: readonly unknown[]): net.Socket {
  const socket = net.connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
  const onSecure = given.findLast((value) => typeof value === 'function');
  if (onSecure) socket.once('secureConnect', () => Reflect.apply(onSecure, socket, []));
  socket.once('connect', () => socket.emit('secureConnect'));
  return Object.assign(socket, TLS_PROPERTIES);
}

function connect(...given: unknown[]): net.Socket {
  const target = readTarget(given);
  const host = target.servername || target.host || target.hostname || '';
  // With a proxy, the client has connected the socket itself.
  if (SLACK.test(host) && !target.socket) return connectToWorkspace(given);
  return Reflect.apply(connectSecurely, tls, given);
}

Object.assign(tls, { connect });
syncBuiltinESMExports();
