import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { findAppOfClient } from './apps.ts';
import { isGuest } from './directory.ts';

/** A request of an app for installation, which a person may allow. */
export interface ConsentRequest {
  scopes: readonly string[];
  userScopes: readonly string[];
  redirectUri: string;
  hasRedirectUri: boolean;
  state: string | undefined;
}

/** A person who can allow a request, and the workspace or organisation for which they can. */
export interface ConsentChoice {
  holder: string;
  holderName: string;
  person: string;
  personName: string;
}

function splitScopes(text: string | null): string[] {
  return (text ?? '').split(/[,\s]+/).filter((scope) => scope !== '');
}

/**
 * Reads the redirect_uri. It must start with an address of the manifest, and use https, as Slack requires. Here http is
 * allowed on this machine.
 */
function readRedirectUri(site: Site, given: string | null): string {
  const { redirectUrls } = site.manifest;
  const uri = given ?? redirectUrls[0] ?? '';
  const url = URL.parse(uri);
  const isKnown = redirectUrls.some((base) => uri === base || uri.startsWith(`${base.replace(/\/$/, '')}/`));
  const isLocal = url !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (!isKnown || !url || (url.protocol !== 'https:' && !isLocal)) {
    throw new Refusal('bad_redirect_uri', {
      description: `redirect_uri did not match any configured URIs. Passed URI: ${uri}`,
    });
  }
  return uri;
}

/** Finds the app that requests an installation. Throws the error for which Slack shows an error page. */
export function findRequestingApp(slack: Slack, query: URLSearchParams): Site {
  const app = findAppOfClient(slack, query.get('client_id'));
  if (app) return app;
  throw new Refusal('invalid_client_id', { description: 'Invalid client_id parameter' });
}

/** Reads the query of `/oauth/v2/authorize`. Throws the errors for which Slack shows an error page. */
export function readConsentRequest(site: Site, query: URLSearchParams): ConsentRequest {
  const redirectUri = readRedirectUri(site, query.get('redirect_uri'));
  const scopes = splitScopes(query.get('scope'));
  const userScopes = splitScopes(query.get('user_scope'));
  const unknownScopes = scopes.filter((scope) => site.manifest.scopes?.includes(scope) === false);
  if (unknownScopes.length > 0 || scopes.length + userScopes.length === 0) {
    throw new Refusal('invalid_scope', {
      description: `Invalid permissions requested: ${unknownScopes.join(', ')}`,
    });
  }
  return {
    scopes,
    userScopes,
    redirectUri,
    hasRedirectUri: query.has('redirect_uri'),
    state: query.get('state') ?? undefined,
  };
}

/**
 * Lists the people who can allow a request: members, admins and owners for their workspace, and admins and owners for
 * their organisation if the manifest sets `org_deploy_enabled`. Only the first app can be installed for organisations.
 */
export function listConsentChoices(app: Site): ConsentChoice[] {
  const { slack } = app;
  const members = slack.sites.flatMap(({ state }) =>
    state.people
      .filter((person) => !person.isBot && !person.deactivated && !person.from && !isGuest(person))
      .map((person) => ({ state, person })),
  );
  const choices = members.map(({ state, person }) => ({
    holder: state.team.id,
    holderName: state.team.name,
    person: person.id,
    personName: person.realName,
  }));
  if (app !== slack.sites[0] || !app.manifest.isOrgDeployEnabled) return choices;
  return [
    ...choices,
    ...slack.organisations.flatMap(({ id, name }) =>
      members
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
