import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { isGuest } from './directory.ts';

/** What an app asks a person to allow. */
export interface ConsentRequest {
  scopes: readonly string[];
  userScopes: readonly string[];
  redirectUri: string;
  hasRedirectUri: boolean;
  state: string | undefined;
}

/** Somebody who can allow it, and for what: their workspace, or their whole organisation. */
export interface ConsentChoice {
  holder: string;
  holderName: string;
  person: string;
  personName: string;
}

function splitScopes(text: string | null): string[] {
  return (text ?? '').split(/[,\s]+/).filter((scope) => scope !== '');
}

/** Slack takes what begins as an address in the manifest does, and nothing but https; here also http on this machine. */
function readRedirectUri(site: Site, named: string | null): string {
  const { redirectUrls } = site.manifest;
  const uri = named ?? redirectUrls[0] ?? '';
  const url = URL.parse(uri);
  const known = redirectUrls.some((base) => uri === base || uri.startsWith(`${base.replace(/\/$/, '')}/`));
  const local = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!known || !url || (url.protocol !== 'https:' && !local)) {
    throw new Refusal('bad_redirect_uri', {
      says: `redirect_uri did not match any configured URIs. Passed URI: ${uri}`,
    });
  }
  return uri;
}

/** The request that the query of `/oauth/v2/authorize` makes; refuses what Slack shows an error page for. */
export function readConsentRequest(site: Site, query: URLSearchParams): ConsentRequest {
  if (query.get('client_id') !== site.slack.tokens.clientId) {
    throw new Refusal('invalid_client_id', { says: 'Invalid client_id parameter' });
  }
  const redirectUri = readRedirectUri(site, query.get('redirect_uri'));
  const scopes = splitScopes(query.get('scope'));
  const userScopes = splitScopes(query.get('user_scope'));
  const strange = scopes.filter((scope) => site.manifest.scopes?.includes(scope) === false);
  if (strange.length > 0 || scopes.length + userScopes.length === 0) {
    throw new Refusal('invalid_scope', { says: `Invalid permissions requested: ${strange.join(', ')}` });
  }
  return {
    scopes,
    userScopes,
    redirectUri,
    hasRedirectUri: query.has('redirect_uri'),
    state: query.get('state') ?? undefined,
  };
}

/** Members, admins and owners for their workspace; admins and owners for their organisation, where the app allows that. */
export function listConsentChoices(slack: Slack): ConsentChoice[] {
  const inTeams = slack.sites.flatMap(({ state }) =>
    state.people
      .filter((person) => !person.isBot && !person.deactivated && !person.from && !isGuest(person))
      .map((person) => ({ state, person })),
  );
  const choices = inTeams.map(({ state, person }) => ({
    holder: state.team.id,
    holderName: state.team.name,
    person: person.id,
    personName: person.realName,
  }));
  const [first] = slack.sites;
  if (first?.manifest.isOrgDeployEnabled !== true) return choices;
  return [
    ...choices,
    ...slack.organisations.flatMap(({ id, name }) =>
      inTeams
        .filter(({ state, person }) => state.team.organisation === id && person.role !== 'member')
        .map(({ person }) => ({
          holder: id,
          holderName: name,
          person: person.id,
          personName: person.realName,
        })),
    ),
  ];
}
