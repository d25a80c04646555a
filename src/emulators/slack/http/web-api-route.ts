import type { IncomingMessage, ServerResponse } from 'node:http';
import { applyFault, type HttpAnswer } from '../faults/apply-fault.ts';
import { getStrings, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findChannelByName } from '../state/directory.ts';
import { findSitesOfHolder } from '../state/organisations.ts';
import { findCaller, recordWebApiCall } from '../traffic/record-call.ts';
import { answerCall } from '../web-api/answer-call.ts';
import { POST_ONLY_METHOD, takesJson } from '../web-api/method-rules.ts';
import { METHODS } from '../web-api/methods.ts';
import { answer } from './answer.ts';
import { readArguments } from './read-arguments.ts';

/** Whether a fault's channel is that of a call. Each can be a name or id, in any workspace. */
function isSameChannel({ slack }: Site, faultChannel: string, callChannel: unknown): boolean {
  if (typeof callChannel !== 'string') return false;
  return slack.sites.some((site) => {
    const [one, other] = [findChannelByName(site, faultChannel), findChannelByName(site, callChannel)];
    return faultChannel === callChannel || (one !== undefined && one.id === other?.id);
  });
}

/** Reads the app's credentials for oauth.v2.access from HTTP Basic authentication. */
function readBasicCredentials(header: string): Json {
  const encoded = /^Basic (.+)$/i.exec(header)?.[1];
  if (encoded === undefined) return {};
  const [, id, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return id === undefined ? {} : { client_id: id, client_secret: secret };
}

/** The headers with the token's scopes and the method's scopes. Slack sends neither without a valid token. */
function buildScopeHeaders(site: Site, token: string | undefined, accepted: readonly string[]) {
  const grant = site.slack.grants.find((entry) => entry.token === token);
  if (!grant) return {};
  const [app = site] = findSitesOfHolder(grant.holder, site.slack.sites);
  return {
    'X-OAuth-Scopes': (grant.scopes ?? app.manifest.scopes ?? []).join(','),
    ...(accepted.length > 0 ? { 'X-Accepted-OAuth-Scopes': accepted.join(',') } : {}),
  };
}

/** Adds to the warnings of the method (docs.slack.dev/apis/web-api, "Responses"). */
function addWarnings(body: Json, warnings: readonly string[]): Json {
  if (warnings.length === 0) return body;
  const metadata = isRecord(body.response_metadata) ? body.response_metadata : {};
  const all = [...getStrings(metadata, 'warnings'), ...warnings];
  return { ...body, warning: all.join(','), response_metadata: { ...metadata, warnings: all } };
}

/** Returns the refusal of a malformed request, which is answered and recorded like a call. */
async function readOrRefuse(request: IncomingMessage, url: URL, method: string) {
  if (method === POST_ONLY_METHOD && request.method !== 'POST') return new Refusal('insecure_request');
  try {
    return await readArguments(request, url, takesJson(method));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** `/api/<method>` */
export async function serveWebApi(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const method = url.pathname.slice('/api/'.length);
  const given = await readOrRefuse(request, url, method);
  const { authorization = '' } = request.headers;
  const read = given instanceof Refusal ? { args: {}, token: undefined, warnings: [] } : given;
  const args = { ...read.args, ...readBasicCredentials(authorization) };
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1] ?? read.token;
  const accepted = METHODS.get(method)?.scopes ?? [];
  const run = (): HttpAnswer => {
    if (given instanceof Refusal) return { status: 200, body: { ok: false, error: given.code } };
    const result = answerCall(site, { method, token, args });
    if (result.retryAfter !== undefined) return { status: 429, ...result };
    return { status: 200, body: addWarnings(result.body, given.warnings) };
  };
  const caller = findCaller(site, { method, token, args });
  const rule = caller.site.faults.pickForCall(method, (channel) =>
    isSameChannel(site, channel, args.channel),
  );
  const result = await recordWebApiCall(caller, { method, args, accepted }, () =>
    rule ? applyFault(rule, response, method, run) : run(),
  );
  if (!result || response.destroyed) return;
  const { status, body, retryAfter } = result;
  const isText = typeof body === 'string';
  answer(response, status, isText ? body : JSON.stringify(body), {
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    'Content-Type': `${isText ? 'text/plain' : 'application/json'}; charset=utf-8`,
    ...buildScopeHeaders(site, token, accepted),
    'X-Slack-Req-Id': crypto.randomUUID().replaceAll('-', ''),
  });
}
