import type { IncomingMessage, ServerResponse } from 'node:http';
import { applyFault, type HttpAnswer } from '../faults/apply-fault.ts';
import { RESPONSE_URL } from '../faults/slack-fault-plan.ts';
import { respond } from '../interactions/respond.ts';
import { type Json, parseJsonOrText } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { useResponseUrl } from '../state/response-urls.ts';
import { recordCall } from '../traffic/record-call.ts';
import { answer, answerJson } from './answer.ts';
import { readBody } from './read-body.ts';

/** Errors of the address, with status 404. */
const ADDRESS_ERRORS = new Set(['invalid_url', 'used_url', 'expired_url']);

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_payload');
  }
}

/** `POST /response/<secret>`: the response_url of a command or interaction. */
export async function serveResponseUrl(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
): Promise<void> {
  const body = await readBody(request);
  const run = () => answerResponse(site, secret, body);
  const rule = site.faults.pickForCall(RESPONSE_URL, () => false);
  const description = { kind: 'response_url', label: 'response_url', payload: parseJsonOrText(body) };
  const result = await recordCall(site, description, () =>
    rule ? applyFault(rule, response, RESPONSE_URL, run) : run(),
  );
  if (!result || response.destroyed) return;
  if (result.retryAfter !== undefined) response.setHeader('Retry-After', result.retryAfter);
  if (typeof result.body === 'string') answer(response, result.status, result.body);
  else answerJson(response, result.status, result.body);
}

function answerResponse(site: Site, secret: string, body: string): HttpAnswer {
  try {
    const to = useResponseUrl(site, secret);
    respond(site, to, parseBody(body));
    return { status: 200, body: 'ok' };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refusal: Json = { ok: false, error: error.code, ...error.details };
    return { status: ADDRESS_ERRORS.has(error.code) ? 404 : 400, body: refusal };
  }
}
