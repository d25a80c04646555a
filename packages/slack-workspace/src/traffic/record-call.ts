import type { HttpAnswer } from '../faults/apply-fault.ts';
import { getString, type Json, parseJsonOrText } from '../json.ts';
import type { CallRights, TrafficRecord } from '../protocol.ts';
import type { Site } from '../site.ts';
import type { Grant } from '../state/saved-state.ts';
import { findAppOfToken, findSiteOfCall } from '../web-api/caller.ts';

/** Longer labels are truncated. Those of unknown methods come from the app. */
const MAX_LABEL_LENGTH = 100;

/** Answers a call. Returns undefined if the connection was closed without an answer. */
type Answerer = () => HttpAnswer | undefined | Promise<HttpAnswer | undefined>;

type CallDescription = Pick<TrafficRecord, 'kind' | 'label' | 'call'> & { payload: unknown };

/** Records a call by the app with its answer, and returns the answer. */
export async function recordCall(
  site: Site,
  description: CallDescription,
  answerCall: Answerer,
): Promise<HttpAnswer | undefined> {
  const record = site.traffic.start({
    ...description,
    direction: 'from-app',
    label: description.label.slice(0, MAX_LABEL_LENGTH),
  });
  try {
    const answer = await answerCall();
    if (answer) record.end({ ...describeOutcome(answer), answer: answer.body });
    else record.end({ outcome: 'failed', reason: 'the connection was closed without an answer' });
    return answer;
  } catch (error) {
    record.end({ outcome: 'failed', reason: 'the workspace failed' });
    throw error;
  }
}

function describeOutcome({ status, body }: HttpAnswer): Pick<TrafficRecord, 'outcome' | 'reason'> {
  const error = typeof body === 'string' || body.ok === true ? undefined : getString(body, 'error');
  const reason = error ?? (status === 200 ? undefined : `HTTP ${status}`);
  return reason === undefined ? { outcome: 'answered' } : { outcome: 'failed', reason };
}

interface WebApiCall {
  method: string;
  token: string | undefined;
  args: Json;
  /** Scopes that the method accepts. */
  accepted: readonly string[];
}

interface Caller {
  /** The workspace of the call, for the calling app. */
  site: Site;
  grant: Grant | undefined;
  /** The kind of the token. */
  kind: CallRights['token'];
}

/** Finds the app and workspace of a call. `defaultSite` gets calls whose workspace is unknown. */
export function findCaller(defaultSite: Site, { method, token, args }: Omit<WebApiCall, 'accepted'>): Caller {
  const grant = defaultSite.slack.grants.find((entry) => entry.token === token);
  const app = grant || token === undefined ? undefined : findAppOfToken(defaultSite.slack, token);
  const site = app ?? findSite(defaultSite, grant, method, args);
  return { site, grant, kind: grant?.kind ?? (app && 'app') };
}

/** Records a Web API call in its workspace. */
export function recordWebApiCall(
  { site, grant, kind }: Caller,
  { method, args, accepted }: Omit<WebApiCall, 'token'>,
  answerCall: Answerer,
) {
  const call: CallRights = {
    ...(kind && { token: kind }),
    accepted,
    granted: grant ? (grant.scopes ?? site.manifest.scopes ?? []) : [],
  };
  return recordCall(
    site,
    { kind: 'Web API', label: method, payload: parseArguments(args), call },
    answerCall,
  );
}

/** Parses arguments that contain JSON. */
function parseArguments(args: Json): Json {
  const parse = (value: unknown) =>
    typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJsonOrText(value) : value;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parse(value)]));
}

function findSite(defaultSite: Site, grant: Grant | undefined, method: string, args: Json): Site {
  try {
    return findSiteOfCall(defaultSite.slack, grant, method, args);
  } catch {
    return defaultSite;
  }
}
