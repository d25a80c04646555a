import type { IncomingMessage, ServerResponse } from 'node:http';
import { meetFault, type Spoken } from '../faults/meet-fault.ts';
import { isRecord, type Json } from '../json.ts';
import type { Site } from '../site.ts';
import { channelByName } from '../state/directory.ts';
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

/** In whichever workspace: names differ from one to another, ids do not. */
function isSameChannel({ slack }: Site, named: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  return slack.sites.some((site) => {
    const [one, other] = [channelByName(site, named), channelByName(site, given)];
    return named === given || (one !== undefined && one.id === other?.id);
  });
}

/** The app's own credentials, as oauth.v2.access takes them by HTTP Basic. */
function basicCredentials(header: string): Json {
  const encoded = /^Basic (.+)$/i.exec(header)?.[1];
  if (encoded === undefined) return {};
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return id === undefined ? {} : { client_id: id, client_secret: secret };
}

/** What the token may do. */
function pauseScopes(site: Site, token: string | undefined): readonly string[] {
  const grant = site.slack.grants.find((entry) => entry.token === token);
  return grant?.scopes ?? site.facts.scopes ?? [];
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
  const { token: argument, ...args }: Json = {
    ...Object.fromEntries(url.searchParams),
    ...given,
    ...basicCredentials(request.headers.authorization ?? ''),
  };
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const token = bearer ?? (typeof argument === 'string' ? argument : undefined);
  const method = url.pathname.slice('/api/'.length);
  const run = (): Spoken => {
    if (!given) return { status: 200, body: { ok: false, error: 'invalid_json' } };
    const said = answerCall(site, extra, { method, token, args });
    return { status: said.retryAfter === undefined ? 200 : 429, ...said };
  };
  const rule = site.faults.forCall(method, (named) => isSameChannel(site, named, args.channel));
  const said = rule ? await meetFault(rule, response, method, run) : run();
  if (!said || response.destroyed) return;
  const { status, body: says, retryAfter } = said;
  answer(response, status, typeof says === 'string' ? says : JSON.stringify(says), {
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    'Content-Type': `${typeof says === 'string' ? 'text/plain' : 'application/json'}; charset=utf-8`,
    'X-OAuth-Scopes': pauseScopes(site, token).join(','),
    'X-Slack-Req-Id': crypto.randomUUID().replaceAll('-', ''),
  });
}
