import { isRecord, type Json, parseJson } from '../json.ts';
import type { CallRights } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { findAppOfClient, findSitesOfHolder } from '../state/apps.ts';
import { findChannelByName, findPerson } from '../state/directory.ts';
import { isSameSecret } from '../state/ids.ts';
import type { Grant } from '../state/saved-state.ts';
import { findHomeBy, findModal } from '../state/views.ts';
import { makeWordSet } from '../words.ts';
import type { MethodEntry } from './call.ts';

/** Requires a valid token of an accepted kind. Undefined for app-level tokens and methods without one. `now` in ms. */
export function requireToken(
  slack: Slack,
  accepted: MethodEntry['token'],
  token: string | undefined,
  now: number,
): Grant | undefined {
  if (accepted === 'none') return undefined;
  if (token === undefined || token === '') throw new Refusal('not_authed');
  const isAppLevel = findAppOfToken(slack, token) !== undefined;
  const grant = isAppLevel ? undefined : slack.grants.find((entry) => isSameSecret(token, entry.token));
  if (!isAppLevel && !grant) throw new Refusal('invalid_auth');
  if (grant?.ended) throw new Refusal(grant.ended);
  if (grant?.expiresAt !== undefined && grant.expiresAt <= now) throw new Refusal('token_expired');
  // A step's token works like the bot token (docs.slack.dev/tools/bolt-js/concepts/custom-steps).
  const kind = grant?.kind === 'step' ? 'bot' : (grant?.kind ?? 'app');
  const isAccepted = accepted === 'any' || (accepted === 'bot or user' ? kind !== 'app' : kind === accepted);
  if (!isAccepted) throw new Refusal('not_allowed_token_type');
  return grant;
}

/** Finds the app with this app-level token. */
export function findAppOfToken({ sites }: Slack, token: string): Site | undefined {
  return sites[0]?.apps.find(({ appToken }) => isSameSecret(token, appToken));
}

const hasPerson = (site: Site, id: string) => findPerson(site, id) !== undefined;
const hasTrigger = (site: Site, id: string) => site.triggers.has(id);
const hasFile = (site: Site, id: string) => site.state.files[id] !== undefined;

/** Arguments with ids, and whether a workspace contains such an id. */
const CONTAINS_ID: Readonly<Record<string, (site: Site, id: string) => boolean>> = {
  channel: (site, id) => findChannelByName(site, id) !== undefined || hasPerson(site, id),
  channel_id: (site, id) => findChannelByName(site, id) !== undefined,
  ...{ user: hasPerson, user_id: hasPerson, users: hasPerson },
  view_id: (site, id) => (findModal(site, { viewId: id }) ?? findHomeBy(site, { viewId: id })) !== undefined,
  external_id: (site, id) => findModal(site, { externalId: id }) !== undefined,
  ...{ trigger_id: hasTrigger, interactivity_pointer: hasTrigger, file: hasFile, files: hasFile },
};

/** Reads one id, several with commas, or a list such as `[{ id }]`, which may be JSON. */
function readIds(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (isRecord(entry) ? readIds(entry.id) : []));
  if (typeof value !== 'string') return [];
  if (!value.startsWith('[')) return value.split(',');
  return readIds(parseJson(value, () => []));
}

/** Methods that need `team_id` with an organisation's token (@slack/web-api, "team_id is required"). */
const TEAM_ID_REQUIRED = makeWordSet(
  'conversations.list usergroups.list usergroups.users.list users.conversations users.list',
);

export interface WebApiCall {
  method: string;
  token: string | undefined;
  args: Json;
}

/**
 * Finds the app and workspace of a call, and its rights, for records and faults. `defaultSite` gets calls whose
 * workspace is unknown. `accepted`: scopes that the method accepts.
 */
export function findCaller(
  defaultSite: Site,
  { method, token, args }: WebApiCall,
  accepted: readonly string[],
): { site: Site; rights: CallRights } {
  const { slack } = defaultSite;
  const grant = slack.grants.find((entry) => entry.token === token);
  const app = grant || token === undefined ? undefined : findAppOfToken(slack, token);
  const findSite = () => {
    try {
      return findSiteOfCall(slack, grant, method, args);
    } catch {
      return defaultSite;
    }
  };
  const site = app ?? findSite();
  const kind = grant?.kind ?? (app && 'app');
  const granted = grant ? (grant.scopes ?? site.manifest.scopes ?? []) : [];
  return { site, rights: { ...(kind && { token: kind }), accepted, granted } };
}

/**
 * Finds the workspace of a call. An organisation's token works in several workspaces: `team_id` or another id in the
 * arguments shows which one. A call without a token belongs to the app with its `client_id`.
 */
export function findSiteOfCall(slack: Slack, grant: Grant | undefined, method: string, args: Json): Site {
  const [first] = slack.sites;
  if (!first) throw new Error('the emulator has no workspace');
  if (!grant) return findAppOfClient(slack, args.client_id) ?? first;
  const sites = findSitesOfHolder(grant.holder, slack.sites);
  const [firstOfToken] = sites;
  if (!grant.holder.startsWith('E')) return firstOfToken ?? first;
  const team = typeof args.team_id === 'string' && args.team_id !== '' ? args.team_id : undefined;
  if (team === undefined && TEAM_ID_REQUIRED.has(method)) throw new Refusal('missing_argument');
  const found =
    team === undefined ? findSiteByIds(sites, args) : sites.find(({ state }) => state.team.id === team);
  if (team !== undefined && !found) throw new Refusal('team_access_not_granted');
  return (
    found ??
    firstOfToken ??
    slack.sites.find(({ state }) => state.team.organisation === grant.holder) ??
    first
  );
}

function findSiteByIds(sites: readonly Site[], args: Json): Site | undefined {
  for (const [name, containsId] of Object.entries(CONTAINS_ID)) {
    const [id] = readIds(args[name]);
    const site = id === undefined ? undefined : sites.find((each) => containsId(each, id));
    if (site) return site;
  }
  return undefined;
}
