import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { bareHost, isReachable } from '../address-rules.ts';
import type { NotAppliedCause } from '../outcome.ts';
import { CallFailed } from './call-failed.ts';
import { checkedLookup, type Lookup, NOT_ALLOWED, notAllowed } from './checked-lookup.ts';

/** For a service whose address somebody gave in Slack: where it leads is looked at for each connection. */
export interface AddressGuard {
  allowPrivate: boolean;
  /** The system's, without. */
  lookup?: Lookup | undefined;
  /** Certificates that are trusted instead of the usual ones, PEM. */
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
 * undici's connector with an exact limit for look-up, connect and TLS together (its own timer ticks in half seconds).
 * Whatever fails in here failed before the first byte of a request, so the request was certainly not applied: that
 * place, and not an error's code, tells a reset during TLS from one after the request went.
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
      const once = report;
      report = undefined;
      once?.(new CallFailed({ kind: 'not-applied', cause }, error), null);
    };
    let report: buildConnector.Callback | undefined = callback;
    // A number is not looked up.
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
