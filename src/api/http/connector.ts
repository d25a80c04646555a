import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { QuotaKey } from '../../slots.ts';
import { isAllowedAddress, isForbiddenAddress } from '../address-rules.ts';
import { WIRE_LIMITS } from '../json/response-limits.ts';
import type { NotAppliedCause, OutcomeDetails } from '../outcome.ts';

type Callback = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

/** The type of the `lookup` option of `net.connect`. */
export type Lookup = (hostname: string, options: LookupOptions, callback: Callback) => void;

const ADDRESS_NOT_ALLOWED = 'ADDRESS_NOT_ALLOWED';

function createNotAllowedError(): Error {
  return Object.assign(new Error('connections to this address are not allowed'), {
    code: ADDRESS_NOT_ALLOWED,
  });
}

/**
 * Creates a DNS lookup for connections. It returns only checked addresses, so a connection can't use an unchecked one.
 * Fails with ADDRESS_NOT_ALLOWED if any address of the name isn't allowed.
 */
function createCheckedLookup(options: { allowPrivate: boolean; lookup?: Lookup | undefined }): Lookup {
  const { allowPrivate, lookup = systemLookup } = options;
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, result) => {
      if (error) return callback(error, []);
      const addresses = typeof result === 'string' ? [] : result;
      const [firstAddress] = addresses;
      if (!firstAddress || !addresses.every(({ address }) => isAllowedAddress(address, allowPrivate))) {
        return callback(createNotAllowedError(), []);
      }
      if (lookupOptions.all) return callback(null, addresses);
      return callback(null, firstAddress.address, firstAddress.family);
    });
  };
}

/** Options for a service address that a person entered in Slack. Each connection then checks the resolved address. */
export interface AddressGuard {
  allowPrivate: boolean;
  /** Defaults to the system's lookup. */
  lookup?: Lookup | undefined;
  /** Trusted CA certificates (PEM). Defaults to Node's. */
  ca?: string | undefined;
}

const CAUSES_BY_CODE: Readonly<Record<string, NotAppliedCause>> = {
  ECONNREFUSED: 'connection-refused',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ENOTFOUND: 'name-not-resolved',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  [ADDRESS_NOT_ALLOWED]: 'address-not-allowed',
};

function classifyConnectError(error: Error, protocol: string): NotAppliedCause {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('EAI_')) return 'name-not-resolved';
  return CAUSES_BY_CODE[code] ?? (protocol === 'https:' ? 'tls' : 'unreachable');
}

/**
 * Bounds what a socket delivers for one request, because many bytes may reach no handler, such as an endless status line
 * or the extension of a chunk. After the first bytes, each further chunk waits for its turn: until then, `read` returns
 * null to undici, as if nothing had arrived. Too many bytes destroy the socket.
 *
 * Also gives each error of a connection the code of a broken one. After a reset, undici 7 otherwise ends its parser, which
 * fails an assertion and ends the process if reading is paused (`onHttpSocketError` in lib/dispatcher/client-h1.js). With
 * `UND_ERR_INFO`, it connects again for a call that was given up (`onHttpSocketClose` there). After any other code,
 * requests that wait for an idle connection fail instead of getting a new one (`onError` in lib/dispatcher/client.js).
 */
function guardSocket(socket: Socket, awaitTurn: (read: () => void) => void): Socket {
  const read = socket.read.bind(socket);
  let writtenBytes = 0;
  let earlierBytes = 0;
  let isWaiting = false;
  const continueReading = () => {
    isWaiting = false;
    if (!socket.destroyed) socket.emit('readable');
  };
  socket.read = (size) => {
    if (isWaiting) return null;
    if (socket.bytesWritten !== writtenBytes) {
      writtenBytes = socket.bytesWritten;
      earlierBytes = socket.bytesRead;
    }
    const bytes = socket.bytesRead - earlierBytes;
    if (bytes > WIRE_LIMITS.maxBytes)
      socket.destroy(new ResponseTooLarge(`response exceeds ${WIRE_LIMITS.maxBytes} bytes`));
    const chunk: unknown = read(size);
    isWaiting = chunk !== null && bytes > WIRE_LIMITS.freeBytes;
    if (isWaiting) awaitTurn(continueReading);
    return chunk;
  };
  return socket.on('error', (error) => Object.assign(error, { code: 'UND_ERR_SOCKET' }));
}

const waitingReads = new Map<QuotaKey, (() => void)[]>();
let isTurnPlanned = false;

/**
 * Calls `read` when the next chunk may be read. All large responses of the process together read one chunk per turn of
 * the event loop, and one key after the other.
 */
export function readInTurn(key: QuotaKey, read: () => void): void {
  const queue = waitingReads.get(key) ?? [];
  queue.push(read);
  waitingReads.set(key, queue);
  planTurn();
}

function planTurn(): void {
  const [next] = waitingReads;
  if (isTurnPlanned || !next) return;
  isTurnPlanned = true;
  setImmediate(() => {
    isTurnPlanned = false;
    const [key, queue] = next;
    const read = queue.shift();
    // A key with further reads moves behind the others.
    waitingReads.delete(key);
    if (queue.length > 0) waitingReads.set(key, queue);
    read?.();
    planTurn();
  });
}

/**
 * Creates a connector for undici with an exact limit for lookup, connect and TLS together. The timer of undici is only
 * exact to half a second. A failure in the connector happens before the first byte of the request is sent, so the
 * request was certainly not applied. An error code alone doesn't prove that, because a connection can be reset during
 * TLS or after the request was sent. `awaitTurn`: calls back when the next chunk of a long response may be read.
 */
export function createConnector(
  limitMs: number,
  awaitTurn: (read: () => void) => void,
  guard?: AddressGuard,
): buildConnector.connector {
  const { allowPrivate = true, lookup, ca } = guard ?? {};
  const connect = buildConnector({
    timeout: limitMs,
    ...(guard && { lookup: createCheckedLookup({ allowPrivate, lookup }) }),
    ...(ca !== undefined && { ca }),
  });
  return (options, callback) => {
    const fail = (cause: NotAppliedCause, error?: Error) => {
      const reportOnce = report;
      report = undefined;
      reportOnce?.(new CallFailed({ kind: 'not-applied', cause }, error), null);
    };
    let report: buildConnector.Callback | undefined = callback;
    // Node doesn't look up IP addresses, so they are checked here.
    if (guard && isForbiddenAddress(options.hostname, allowPrivate)) {
      return fail('address-not-allowed', createNotAllowedError());
    }
    const timer = setTimeout(() => fail('connect-timeout'), limitMs);
    connect(options, (error, socket) => {
      clearTimeout(timer);
      if (error) fail(classifyConnectError(error, options.protocol), error);
      else if (report) report(null, guardSocket(socket, awaitTurn));
      else socket.destroy();
    });
  };
}

/** A response exceeded one of its limits. It wasn't read further. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/** A call ended without a readable response. The API client catches this and returns `ending`. */
export class CallFailed extends Error {
  readonly ending: OutcomeDetails<never>;

  constructor(ending: OutcomeDetails<never>, cause?: unknown) {
    super(`call ended without a response: ${ending.kind}`, { cause });
    this.name = 'CallFailed';
    this.ending = ending;
  }
}
