import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { findChannelByName, findPerson } from '../state/directory.ts';
import { findHomeById } from '../state/home-tabs.ts';
import { findModal } from '../state/modals.ts';
import { findSitesOfHolder } from '../state/organisations.ts';
import type { Grant } from '../state/saved-slack.ts';
import type { MethodEntry } from './methods.ts';
import { sameSecret } from './same-secret.ts';

/** Refuses where the token is not of the kind that the method wants. Undefined: it wants none, or the app's own. */
export function demandToken(
  slack: Slack,
  wanted: MethodEntry['token'],
  token: string | undefined,
  now: number,
): Grant | undefined {
  if (wanted === 'none') return undefined;
  if (token === undefined || token === '') throw new Refusal('not_authed');
  const ofApp = appOfToken(slack, token) !== undefined;
  const grant = ofApp ? undefined : slack.grants.find((entry) => sameSecret(token, entry.token));
  if (!ofApp && !grant) throw new Refusal('invalid_auth');
  if (grant?.ended) throw new Refusal(grant.ended);
  if (grant?.expiresAt !== undefined && grant.expiresAt <= now) throw new Refusal('token_expired');
  // The token of a step is one of the app's own (docs.slack.dev/tools/bolt-js/concepts/custom-steps).
  const kind = grant?.kind === 'step' ? 'bot' : (grant?.kind ?? 'app');
  const fits = wanted === 'bot or user' ? kind !== 'app' : kind === wanted;
  if (!fits) throw new Refusal('not_allowed_token_type');
  return grant;
}

/** The app whose app-level token this is. */
export function appOfToken({ sites }: Slack, token: string): Site | undefined {
  return sites[0]?.apps.find(({ appToken }) => sameSecret(token, appToken));
}

/** Arguments that name something of one workspace, and how that one knows it. */
const KNOWS: Readonly<Record<string, (site: Site, id: string) => boolean>> = {
  channel: (site, id) => findChannelByName(site, id) !== undefined || findPerson(site, id) !== undefined,
  channel_id: (site, id) => findChannelByName(site, id) !== undefined,
  user: (site, id) => findPerson(site, id) !== undefined,
  user_id: (site, id) => findPerson(site, id) !== undefined,
  users: (site, id) => findPerson(site, id) !== undefined,
  view_id: (site, id) => (findModal(site, { viewId: id }) ?? findHomeById(site, id)) !== undefined,
  external_id: (site, id) => findModal(site, { externalId: id }) !== undefined,
  trigger_id: (site, id) => site.triggers.isKnown(id),
  interactivity_pointer: (site, id) => site.triggers.isKnown(id),
  file: (site, id) => site.state.files[id] !== undefined,
  files: (site, id) => site.state.files[id] !== undefined,
};

/** The ids in an argument: one, several with commas, or in JSON as `[{ id }]`. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => (isRecord(entry) ? idsIn(entry.id) : []));
  if (typeof value !== 'string') return [];
  if (!value.startsWith('[')) return value.split(',');
  try {
    return idsIn(JSON.parse(value));
  } catch {
    return [];
  }
}

/** Methods that an organisation's token has to name a workspace for (@slack/web-api, "team_id is required"). */
const NAMES_TEAM = new Set([
  'conversations.list',
  'usergroups.list',
  'usergroups.users.list',
  'users.conversations',
  'users.list',
]);

/** The workspace that a call is about: the token's own; of an organisation's, the one that the arguments name. */
export function siteOfCall(slack: Slack, grant: Grant | undefined, method: string, args: Json): Site {
  const [first] = slack.sites;
  const sites = grant ? findSitesOfHolder(grant.holder, slack.sites) : [];
  const [only] = sites;
  if (!first) throw new Error('This practice Slack has no workspaces');
  if (!grant?.holder.startsWith('E')) return only ?? first;
  const named = typeof args.team_id === 'string' && args.team_id !== '' ? args.team_id : undefined;
  if (named === undefined && NAMES_TEAM.has(method)) throw new Refusal('missing_argument');
  const found = named === undefined ? about(sites, args) : sites.find(({ state }) => state.team.id === named);
  if (named !== undefined && !found) throw new Refusal('team_access_not_granted');
  return found ?? only ?? slack.sites.find(({ state }) => state.team.organisation === grant.holder) ?? first;
}

function about(sites: readonly Site[], args: Json): Site | undefined {
  for (const [name, knows] of Object.entries(KNOWS)) {
    const [id] = idsIn(args[name]);
    const site = id === undefined ? undefined : sites.find((entry) => knows(entry, id));
    if (site) return site;
  }
  return undefined;
}
