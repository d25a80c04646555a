import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../json.ts';
import { EXPIRED_TRIGGER_DETAILS } from '../state/triggers.ts';
import { RESPONSE_URL, type WebApiRule } from './slack-fault-plan.ts';

/** What is answered to one call over HTTP. */
export interface Spoken {
  status: number;
  body: Json | string;
  /** The Retry-After header. */
  retryAfter?: number | string;
}

/**
 * Answers a call as its fault says. `run` does what the call asks for. Undefined: nothing more is to be said, because
 * the connection is gone.
 */
export async function meetFault(
  rule: WebApiRule,
  response: ServerResponse,
  method: string,
  run: () => Spoken,
): Promise<Spoken | undefined> {
  if (rule.delayMs !== undefined) await waited(response, rule.delayMs);
  if ('commit' in rule && rule.commit === 'first') run();
  const refused = (error: string, more: Json = {}): Spoken => ({
    // A response_url refuses by its status.
    status: method === RESPONSE_URL ? 404 : 200,
    body: { ok: false, error, ...more },
  });
  switch (rule.fault) {
    case 'slow':
      return run();
    case 'cut':
      response.socket?.resetAndDestroy();
      return undefined;
    case 'hang':
      if (!response.closed) await once(response, 'close');
      return undefined;
    case 'status':
      return { status: rule.status, body: 'The practice Slack fails now, as it was told to.' };
    case 'rate-limited':
      return { ...refused('ratelimited'), status: 429, retryAfter: rule.retryAfter };
    case 'error':
      return refused(rule.error);
    case 'expired-trigger':
      return refused(rule.spelling, rule.spelling === 'invalid_arguments' ? EXPIRED_TRIGGER_DETAILS : {});
  }
}

/** Resolves early where the app leaves meanwhile. */
async function waited(response: ServerResponse, ms: number): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  await delay(ms, undefined, { signal: left.signal }).catch(() => undefined);
  response.off('close', leave);
}
