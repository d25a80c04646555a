import type { Spoken } from '../faults/meet-fault.ts';
import { type Json, parseJsonOrText, stringIn } from '../json.ts';
import type { Site } from '../site.ts';
import type { Grant } from '../state/saved-slack.ts';
import { appOfToken, siteOfCall } from '../web-api/caller.ts';
import type { CallRights, TrafficRecord } from './traffic-record.ts';

/** Longer names of unknown methods are cut. */
const MAX_LABEL_LENGTH = 100;

/** The answer to a call. Undefined: the connection ended without one. */
type Answering = () => Spoken | undefined | Promise<Spoken | undefined>;

type About = Pick<TrafficRecord, 'kind' | 'label' | 'call'> & { payload: unknown };

/** Records a call by the app, with its answer, which it returns. */
export async function recordCall(site: Site, about: About, answer: Answering): Promise<Spoken | undefined> {
  const record = site.traffic.begin({
    ...about,
    direction: 'from-app',
    label: about.label.slice(0, MAX_LABEL_LENGTH),
  });
  try {
    const said = await answer();
    if (said) record.end({ ...resultOf(said), answer: said.body });
    else record.end({ outcome: 'failed', reason: 'the connection ended without an answer' });
    return said;
  } catch (error) {
    record.end({ outcome: 'failed', reason: 'the workspace failed at this call' });
    throw error;
  }
}

function resultOf({ status, body }: Spoken): Pick<TrafficRecord, 'outcome' | 'reason'> {
  const error = typeof body === 'string' || body.ok === true ? undefined : stringIn(body, 'error');
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

/** Records a Web API call in the workspace that it is about. */
export function recordWebApiCall(site: Site, asked: WebApiCall, answer: Answering) {
  const { method, token, args, accepted } = asked;
  const grant = site.slack.grants.find((entry) => entry.token === token);
  const app = grant || token === undefined ? undefined : appOfToken(site.slack, token);
  const kind = grant?.kind ?? (app && 'app');
  const at = app ?? siteOfRecord(site, grant, method, args);
  const call: CallRights = {
    ...(kind && { token: kind }),
    accepted,
    granted: grant ? (grant.scopes ?? at.manifest.scopes ?? []) : [],
  };
  const about = { kind: 'Web API', label: method, payload: withReadJson(args), call };
  return recordCall(at, about, answer);
}

/** Nested arguments come as JSON in strings. */
function withReadJson(args: Json): Json {
  const read = (value: unknown) =>
    typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJsonOrText(value) : value;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, read(value)]));
}

/** A call that names no workspace, or a wrong one, is shown in the first. */
function siteOfRecord(site: Site, grant: Grant | undefined, method: string, args: Json): Site {
  try {
    return siteOfCall(site.slack, grant, method, args);
  } catch {
    return site;
  }
}
