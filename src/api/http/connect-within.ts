import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { bareHost, isReachable } from '../address-rules.ts';
import type { NotAppliedCause } from '../outcome.ts';
import { CallFailed } from './call-failed.ts';
import { checkedLookup, type Lookup, NOT_ALLOWED, notAllowed } from './checked-lookup.ts';

/** Checks for a service address that a person entered in Slack: each connection checks the resolved address. */
export interface AddressGuard {
  allowPrivate: boolean;
  /** Defaults to the system's lookup. */
  lookup?: Lookup | undefined;
  /** Trusted CA certificates (PEM). Defaults to Node's. */
  ca?: string | undefined;
}

const CAUSES: Readonly<Record<string, NotAppliedCause>> = {
  ECONNREFUSED: 'connection-refused',
  ETIMEDOUT: 'connect-timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect-timeout',
  ENOTFOUND: 'name-not-resolved',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  [NOT_ALLOWED]: 'address-not-allowed',
};

function causeOf(error: Error, protocol: string): NotAppliedCause {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code.startsWith('EAI_')) return 'name-not-resolved';
  return CAUSES[code] ?? (protocol === 'https:' ? 'tls' : 'unreachable');
}

/**
 * undici's connector with an exact limit for lookup, connect and TLS together (undici's own timer has a resolution of
 * half a second). A failure here comes before the first byte of the request, so the request was certainly not applied.
 * An error code couldn't tell that: a connection can be reset during TLS or after the request was sent.
 */
export function connectWithin(limitMs: number, guard?: AddressGuard): buildConnector.connector {
  const { allowPrivate = true, lookup, ca } = guard ?? {};
  const connect = buildConnector({
    timeout: limitMs,
    ...(guard && { lookup: checkedLookup({ allowPrivate, lookup }) }),
    ...(ca !== undefined && { ca }),
  });
  return (options, callback) => {
    const fail = (cause: NotAppliedCause, error?: Error) => {
      const reportOnce = report;
      report = undefined;
      reportOnce?.(new CallFailed({ kind: 'not-applied', cause }, error), null);
    };
    let report: buildConnector.Callback | undefined = callback;
    // An IP address isn't looked up, so it is checked here.
    const host = bareHost(options.hostname);
    if (guard && isIP(host) !== 0 && !isReachable(host, allowPrivate)) {
      return fail('address-not-allowed', notAllowed());
    }
    const timer = setTimeout(() => fail('connect-timeout'), limitMs);
    connect(options, (error, socket) => {
      clearTimeout(timer);
      if (error) fail(causeOf(error, options.protocol), error);
      else if (report) report(null, socket);
      else socket.destroy();
    });
  };
}
