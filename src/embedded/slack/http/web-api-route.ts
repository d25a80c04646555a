import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord, type Json } from '../json.ts';
import type { Site } from '../site.ts';
import { answerCall } from '../web-api/answer-call.ts';
import type { MethodEntry } from '../web-api/methods.ts';
import { answer } from './answer.ts';
import { readBody } from './read-body.ts';

function parsed(body: string, contentType: string): Json | undefined {
  if (!contentType.includes('application/json')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `/api/<method>`: arguments as a form, as JSON or in the query; the token in the header or among them. */
export async function serveWebApi(
  site: Site,
  extra: ReadonlyMap<string, MethodEntry>,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const body = await readBody(request);
  const given = body === '' ? {} : parsed(body, request.headers['content-type'] ?? '');
  const { token: argument, ...args }: Json = { ...Object.fromEntries(url.searchParams), ...given };
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer ?? (typeof argument === 'string' ? argument : undefined);
  const said = given
    ? answerCall(site, extra, { method: url.pathname.slice('/api/'.length), token, args })
    : { body: { ok: false, error: 'invalid_json' } };
  const limited = 'retryAfter' in said && said.retryAfter !== undefined;
  answer(response, limited ? 429 : 200, JSON.stringify(said.body), {
    ...(limited ? { 'Retry-After': String(said.retryAfter) } : {}),
    'Content-Type': 'application/json; charset=utf-8',
    'X-OAuth-Scopes': site.facts.scopes?.join(',') ?? '',
    'X-Slack-Req-Id': crypto.randomUUID().replaceAll('-', ''),
  });
}
