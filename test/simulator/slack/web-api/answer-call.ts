import { getString, isRecord, type Json } from '../read-blocks.ts';
import { Refusal } from '../refusal.ts';
import { respond } from '../respond.ts';
import type { SlackState } from '../slack-state.ts';
import { appMethods, exchangeCode } from './apps.ts';
import { type Methods, requireScope } from './call.ts';
import { chatMethods } from './chat.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { userMethods } from './users.ts';
import { viewMethods } from './views.ts';

export interface SlackReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** A request of the app to Slack. */
export interface SlackCall {
  url: string;
  authorization: string | undefined;
  contentType: string;
  body: string;
}

const METHODS: Methods = {
  ...appMethods,
  ...chatMethods,
  ...conversationMethods,
  ...fileMethods,
  ...userMethods,
  ...viewMethods,
};

function parseArguments({ url, contentType, body }: SlackCall): Json {
  const query = Object.fromEntries(new URL(url).searchParams);
  if (!contentType.startsWith('application/json'))
    return { ...query, ...Object.fromEntries(new URLSearchParams(body)) };
  const args = parseJson(body, 'invalid_json');
  if (!isRecord(args)) throw new Refusal('json_not_object');
  return args;
}

function parseJson(text: string, errorCode: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(errorCode);
  }
}

function runMethod(state: SlackState, method: string, call: SlackCall): { answer: Json; scopes: string[] } {
  const args = parseArguments(call);
  if (method === 'oauth.v2.access') return { answer: exchangeCode(state, args), scopes: [] };
  const entry = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (!entry) {
    state.unknownMethods.add(method);
    throw new Refusal('unknown_method');
  }
  const token = /^Bearer (.+)$/.exec(call.authorization ?? '')?.[1] ?? getString(args, 'token');
  if (token === '') throw new Refusal('not_authed');
  const granted = state.tokens.get(token);
  if (!granted) throw new Refusal('invalid_auth');
  if (granted.endedBy !== undefined) throw new Refusal(granted.endedBy);
  const { scopes } = granted;
  const [run, scope] = entry;
  if (scope !== undefined) requireScope({ scopes }, scope);
  const workspace = state.requireWorkspace(granted.workspace);
  return { answer: run({ state, workspace, args, scopes, token }), scopes };
}

function buildReply(status: number, body: Json, headers: Record<string, string> = {}): SlackReply {
  const contentType = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...contentType, ...headers }, body: JSON.stringify(body) };
}

/** Runs a request, and turns a {@link Refusal} into Slack's answer. */
function catchRefusal(run: () => SlackReply, statusOf: (code: string) => number): SlackReply {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return buildReply(statusOf(error.code), { ok: false, error: error.code, ...error.details });
  }
}

/** Errors of a response_url's address, with status 404. Other errors have status 400. */
const ADDRESS_ERRORS = ['invalid_url', 'used_url', 'expired_url'];
const TEXT_HEADERS = { 'content-type': 'text/plain' };

function receiveUpload(state: SlackState, ticket: string): SlackReply {
  const files = [...state.workspaces.values()].flatMap((workspace) => [...workspace.files.values()]);
  const file = files.find((each) => each.ticket === ticket && each.status === 'announced');
  if (!file) return { status: 404, headers: TEXT_HEADERS, body: 'Not found' };
  file.status = 'received';
  return { status: 200, headers: TEXT_HEADERS, body: `OK - ${file.size}` };
}

/** Answers a request of the app: to the Web API, to a response_url, or an upload. */
export function answerCall(state: SlackState, call: SlackCall): SlackReply {
  const { hostname, pathname, origin } = new URL(call.url);
  if (pathname.startsWith('/upload/')) return receiveUpload(state, pathname.split('/').at(-1) ?? '');
  if (hostname === 'hooks.slack.com')
    return catchRefusal(
      () => {
        respond(state, state.useResponseUrl(origin + pathname), parseJson(call.body, 'invalid_payload'));
        return { status: 200, headers: TEXT_HEADERS, body: 'ok' };
      },
      (code) => (ADDRESS_ERRORS.includes(code) ? 404 : 400),
    );
  const method = pathname.replace(/^\/api\//, '');
  return catchRefusal(
    () => {
      const { answer, scopes } = runMethod(state, method, call);
      return buildReply(200, { ok: true, ...answer }, { 'x-oauth-scopes': scopes.join(',') });
    },
    () => 200,
  );
}
