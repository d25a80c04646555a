import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Json } from '../json.ts';
import { RESPONSE_URL, type WebApiRule } from './slack-faults.ts';

export interface HttpAnswer {
  status: number;
  body: Json | string;
  /** The Retry-After header. */
  retryAfter?: number | string;
}

/** The details of the error `invalid_arguments` for an expired trigger_id (node-slack-sdk #1131). */
const EXPIRED_TRIGGER_DETAILS = {
  response_metadata: { messages: ['[ERROR] `trigger_id` expired [json-pointer:/trigger_id]'] },
};

/** Returns a fault's answer to a call, which `run` executes. Undefined if the connection was closed without one. */
export async function applyFault(
  rule: WebApiRule,
  response: ServerResponse,
  method: string,
  run: () => HttpAnswer,
): Promise<HttpAnswer | undefined> {
  if (rule.delayMs !== undefined) await waitWhileOpen(response, rule.delayMs);
  if ('commit' in rule && rule.commit === 'first') run();
  const refuse = (error: string, details: Json = {}): HttpAnswer => ({
    // Errors of a response_url have an HTTP status, and those of methods don't.
    status: method === RESPONSE_URL ? 404 : 200,
    body: { ok: false, error, ...details },
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
      return { status: rule.status, body: 'This fault is switched on in the workspace.' };
    case 'rate-limited':
      return { ...refuse('ratelimited'), status: 429, retryAfter: rule.retryAfter };
    case 'error':
      return refuse(rule.error);
    case 'expired-trigger':
      return refuse(rule.spelling, rule.spelling === 'invalid_arguments' ? EXPIRED_TRIGGER_DETAILS : {});
  }
}

/** Resolves after the delay, or earlier if the app closes the connection. */
async function waitWhileOpen(response: ServerResponse, ms: number): Promise<void> {
  const closed = new AbortController();
  const abort = () => closed.abort();
  response.once('close', abort);
  await delay(ms, undefined, { signal: closed.signal }).catch(() => undefined);
  response.off('close', abort);
}
