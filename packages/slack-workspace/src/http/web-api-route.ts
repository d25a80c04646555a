import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { applyFault, type HttpAnswer } from '../faults/apply-fault.ts';
import { getStrings, isRecord, type Json, parseJson, parseJsonOrText } from '../json.ts';
import type { Channel } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { findSitesOfHolder } from '../state/apps.ts';
import { findChannelByName } from '../state/directory.ts';
import { requireScope } from '../state/grants.ts';
import { RateLimitError } from '../state/rate-limits.ts';
import { recordCall } from '../traffic/record-call.ts';
import { Call } from '../web-api/call.ts';
import {
  findAppOfToken,
  findCaller,
  findSiteOfCall,
  requireToken,
  type WebApiCall,
} from '../web-api/caller.ts';
import { METHOD_CHECKS, POST_ONLY_METHOD, takesJson } from '../web-api/method-rules.ts';
import { METHODS } from '../web-api/methods.ts';
import { makeWordSet } from '../words.ts';
import { answer, type HttpCall, MAX_BODY_BYTES, readBytes } from './answer.ts';

/** Finds the id of the channel that a call names by id or name, or by the person in a direct message with the app. */
function findChannelId(site: Site, name: string): string {
  const { botUserId } = site.state.app;
  const isDirectMessage = ({ kind, members }: Channel) =>
    kind === 'im' && members.includes(name) && members.includes(botUserId);
  return (findChannelByName(site, name) ?? site.state.channels.find(isDirectMessage))?.id ?? name;
}

/** Answers a call after checking its token, scopes, rate limit and arguments. `site` is any workspace. */
function answerCall({ slack, now }: Site, { method, token, args }: WebApiCall): HttpAnswer & { body: Json } {
  try {
    const entry = METHODS.get(method);
    if (!entry) throw new Refusal('unknown_method', { req_method: method });
    const grant = requireToken(slack, entry.token, token, now());
    const site =
      (grant ? undefined : findAppOfToken(slack, token ?? '')) ?? findSiteOfCall(slack, grant, method, args);
    requireScope(site, entry.scopes);
    site.rateLimits?.countCall(method, entry.tier, findChannelId(site, String(args.channel ?? '')));
    const call = new Call(site, method, args, grant);
    for (const check of METHOD_CHECKS[method] ?? []) check(call);
    return { status: 200, body: { ok: true, ...entry.run(call) } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const body = { ok: false, error: error.code, ...error.details };
    return error instanceof RateLimitError
      ? { status: 429, body, retryAfter: error.retryAfter }
      : { status: 200, body };
  }
}

/** The arguments of a call. Errors and warnings about their format are those of docs.slack.dev/apis/web-api. */
interface CallArguments {
  args: Json;
  /** The token among the arguments. A JSON body can't contain it. */
  token: string | undefined;
  warnings: readonly string[];
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';
const JSON_TYPE = 'application/json';
const POST_TYPES = [JSON_TYPE, FORM, MULTIPART, 'text/plain'];
const CHARSETS = ['utf-8', 'iso-8859-1'];
/** Longer names are refused. Slack doesn't document the limit. */
const MAX_NAME_LENGTH = 255;

/** Arguments that can be lists in JSON. All others are strings, numbers or booleans. */
const LIST_ARGUMENTS = makeWordSet(
  'attachments blocks channel_ids chunks file_ids files loading_messages metadata_keys_to_include prompts user_ids',
);

function readPostType(request: IncomingMessage): MIMEType {
  const given = request.headers['content-type'];
  if (given === undefined) throw new Refusal('missing_post_type');
  const type = parseType(given);
  if (!type || !POST_TYPES.includes(type.essence)) throw new Refusal('invalid_post_type');
  const charset = type.params.get('charset');
  if (charset !== null && !CHARSETS.includes(charset.toLowerCase())) throw new Refusal('invalid_charset');
  return type;
}

function parseType(text: string): MIMEType | undefined {
  try {
    return new MIMEType(text);
  } catch {
    return undefined;
  }
}

/** Slack warns about a charset of forms, and about other types without one. */
function findCharsetWarnings({ essence, params }: MIMEType): string[] {
  const isForm = essence === FORM || essence === MULTIPART;
  if (isForm === !params.has('charset')) return [];
  return [isForm ? 'superfluous_charset' : 'missing_charset'];
}

function parseJsonArguments(text: string): Json {
  const value = parseJson(text, () => {
    throw new Refusal('invalid_json');
  });
  if (!isRecord(value)) throw new Refusal('json_not_object');
  return value;
}

/** Ignores files, since no method reads them. */
async function parseMultipartArguments(body: Buffer, type: MIMEType): Promise<Json> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': String(type) } })
    .formData()
    .catch(() => {
      throw new Refusal('invalid_form_data');
    });
  return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'));
}

function requireNames(args: Json): void {
  for (const [name, value] of Object.entries(args)) {
    const isList = /\[\w*\]$/.test(name) || (Array.isArray(value) && !LIST_ARGUMENTS.has(name));
    if (isList) throw new Refusal('invalid_array_arg');
    if (!/^\w+$/.test(name) || name.length > MAX_NAME_LENGTH) throw new Refusal('invalid_arg_name');
  }
}

async function readPost(request: IncomingMessage, query: Json, takesJson: boolean): Promise<CallArguments> {
  const body = await readBytes(request, MAX_BODY_BYTES);
  if (body.length === 0) return readQuery(query);
  const type = readPostType(request);
  const warnings = findCharsetWarnings(type);
  if (type.essence === JSON_TYPE) {
    // With JSON, Slack ignores the query, and the token must be in its header.
    const { token: _, ...args } = takesJson ? parseJsonArguments(decode(body, type)) : {};
    requireNames(args);
    return { args, token: undefined, warnings };
  }
  const form =
    type.essence === FORM
      ? Object.fromEntries(new URLSearchParams(decode(body, type)))
      : type.essence === MULTIPART
        ? await parseMultipartArguments(body, type)
        : {};
  const { token, ...args } = { ...query, ...form };
  requireNames(args);
  return { args, token: textOrUndefined(token), warnings };
}

function decode(body: Buffer, type: MIMEType): string {
  return new TextDecoder(type.params.get('charset') ?? 'utf-8').decode(body);
}

const textOrUndefined = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** Reads the query and the body. Throws a {@link Refusal} for malformed requests. */
async function readArguments(request: IncomingMessage, url: URL, takesJson: boolean): Promise<CallArguments> {
  const query: Json = Object.fromEntries(url.searchParams);
  requireNames(query);
  if (request.method === 'POST') return readPost(request, query, takesJson);
  // Slack ignores the body of a GET.
  request.resume();
  return readQuery(query);
}

function readQuery({ token, ...args }: Json): CallArguments {
  return { args, token: textOrUndefined(token), warnings: [] };
}

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
    ...(accepted.length > 0 && { 'X-Accepted-OAuth-Scopes': accepted.join(',') }),
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

/** Parses arguments that contain JSON. */
function parseArguments(args: Json): Json {
  const parse = (value: unknown) =>
    typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJsonOrText(value) : value;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parse(value)]));
}

/** `/api/<method>` */
export async function serveWebApi({ site, request, response, url }: HttpCall): Promise<void> {
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
    return result.status === 429 ? result : { ...result, body: addWarnings(result.body, given.warnings) };
  };
  const { site: caller, rights } = findCaller(site, { method, token, args }, accepted);
  const rule = caller.faults.pickForCall(method, (channel) => isSameChannel(site, channel, args.channel));
  const description = { kind: 'Web API', label: method, payload: parseArguments(args), call: rights };
  const result = await recordCall(caller, description, () =>
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
