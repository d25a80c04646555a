import type { IncomingMessage, ServerResponse } from 'node:http';
import { getString } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { findAppOfClient } from '../state/apps.ts';
import { isGuest } from '../state/directory.ts';
import { makeCode } from '../state/grants.ts';
import { answer, readBody } from './answer.ts';
import { isOriginOurs } from './page-access.ts';

/** `redirectOrigin` is the origin to which the page's form may redirect. */
function answerPage(response: ServerResponse, status: number, html: string, redirectOrigin = ''): void {
  answer(response, status, html, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; form-action 'self' ${redirectOrigin}; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    // With no-referrer, a browser would send the form without its origin.
    'Referrer-Policy': 'same-origin',
  });
}

/** Lists the named workspaces of an organisation. `names`: ids with commas. Defaults to all. */
function listTeams(site: Site, holder: string, names: string | null): string[] {
  const all = site.slack.sites
    .filter(({ state }) => state.team.organisation === holder)
    .map(({ state }) => state.team.id);
  return names === null ? all : all.filter((id) => names.split(',').includes(id));
}

function omitDeclinedScopes(site: Site, request: ConsentRequest, form: URLSearchParams): ConsentRequest {
  const { optionalScopes } = site.manifest;
  const scopes = request.scopes.filter(
    (scope) => !optionalScopes.includes(scope) || form.has(getScopeField(scope)),
  );
  return { ...request, scopes };
}

/** Builds the address of the app to which the person returns, with a code or with `access_denied`. */
function buildRedirectUrl(
  site: Site,
  request: ConsentRequest,
  choice: ConsentChoice | undefined,
  teams: string | null,
): string {
  const url = new URL(request.redirectUri);
  if (choice) {
    const { holder, person } = choice;
    const { scopes, userScopes, redirectUri, hasRedirectUri } = request;
    const consent = {
      client: site.clientId,
      holder,
      person,
      teams: listTeams(site, holder, teams),
      scopes,
      userScopes,
    };
    url.searchParams.set('code', makeCode(site, { ...consent, redirectUri, hasRedirectUri }));
  } else url.searchParams.set('error', 'access_denied');
  if (request.state !== undefined) url.searchParams.set('state', request.state);
  return url.href;
}

async function answerDecision(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  consentRequest: ConsentRequest,
): Promise<void> {
  const form = new URLSearchParams(await readBody(request));
  if (!isOriginOurs(request)) return answer(response, 403, 'This page may not do that.');
  const choice = listConsentChoices(site).find(
    ({ holder, person }) => form.get('choice') === `${holder} ${person}`,
  );
  const isAllowed = form.get('answer') === 'allow';
  if (isAllowed && !choice)
    return answerPage(response, 403, renderConsentError('This person can’t install apps in this workspace.'));
  const redirectUrl = buildRedirectUrl(
    site,
    omitDeclinedScopes(site, consentRequest, form),
    isAllowed ? choice : undefined,
    form.get('teams'),
  );
  answer(response, 302, '', { Location: redirectUrl });
}

/** `/oauth/v2/authorize`: GET asks the person for approval, and POST redirects them to the app. */
export async function serveAuthorize(
  { slack }: Site,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  try {
    const site = findRequestingApp(slack, url.searchParams);
    const consentRequest = readConsentRequest(site, url.searchParams);
    if (request.method === 'POST') return await answerDecision(site, request, response, consentRequest);
    const choices = listConsentChoices(site);
    const team = url.searchParams.get('team');
    const initialChoice = choices.find(({ holder }) => holder === team);
    const { origin } = new URL(consentRequest.redirectUri);
    answerPage(response, 200, renderConsentPage(site, consentRequest, choices, initialChoice), origin);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerPage(response, 400, renderConsentError(getString(error.details, 'description') ?? error.code));
  }
}

interface ConsentRequest {
  scopes: readonly string[];
  userScopes: readonly string[];
  redirectUri: string;
  hasRedirectUri: boolean;
  state: string | undefined;
}

/** A person who can allow a request, and the workspace or organisation for which they can. */
interface ConsentChoice {
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
function findRequestingApp(slack: Slack, query: URLSearchParams): Site {
  const app = findAppOfClient(slack, query.get('client_id'));
  if (app) return app;
  throw new Refusal('invalid_client_id', { description: 'Invalid client_id parameter' });
}

/** Reads the query of `/oauth/v2/authorize`. Throws the errors for which Slack shows an error page. */
function readConsentRequest(site: Site, query: URLSearchParams): ConsentRequest {
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
function listConsentChoices(app: Site): ConsentChoice[] {
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

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" href="/page/style/colours.css">
    <link rel="stylesheet" href="/page/style/consent.css">
  </head>
  <body>
    <main class="consent">${body}</main>
  </body>
</html>
`;
}

function renderOption({ holder, person, personName }: ConsentChoice, isChosen: boolean): string {
  return `<option value="${holder} ${person}"${isChosen ? ' selected' : ''}>${escapeHtml(personName)}</option>`;
}

/** The name of an optional scope's checkbox. */
export const getScopeField = (scope: string) => `scope ${scope}`;

function renderOptionalScope(scope: string): string {
  const name = escapeHtml(getScopeField(scope));
  return `<label class="consent-scope"><input type="checkbox" name="${name}" checked> ${escapeHtml(scope)}</label>`;
}

/** Renders the page on which a person approves an installation. It has a list of people, since nobody signs in. */
function renderConsentPage(
  site: Site,
  request: ConsentRequest,
  choices: readonly ConsentChoice[],
  initialChoice: ConsentChoice | undefined,
): string {
  const name = escapeHtml(site.manifest.name);
  const isOptional = (scope: string) => site.manifest.optionalScopes.includes(scope);
  const scopes = [
    ...request.scopes.filter((scope) => !isOptional(scope)),
    ...request.userScopes.map((scope) => `${scope} (as you)`),
  ];
  const optional = request.scopes.filter(isOptional).map(renderOptionalScope).join('');
  const groups = [...Map.groupBy(choices, ({ holder }) => holder).values()].map((list) => {
    const [{ holder, holderName } = { holder: '', holderName: '' }] = list;
    const label = holder.startsWith('E') ? `All of ${holderName}` : holderName;
    return `<optgroup label="${escapeHtml(label)}">${list.map((choice) => renderOption(choice, choice === initialChoice)).join('')}</optgroup>`;
  });
  return renderPage(
    `Install ${site.manifest.name}`,
    `
      <h1>${name} is requesting access to a workspace</h1>
      <form method="post">
        <label for="choice">Workspace and approver</label>
        <select id="choice" name="choice">${groups.join('')}</select>
        <p>It will be able to:</p>
        <ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
        ${optional === '' ? '' : `<fieldset><legend>It can do without:</legend>${optional}</fieldset>`}
        <div class="consent-buttons">
          <button name="answer" value="cancel">Cancel</button>
          <button name="answer" value="allow" class="is-primary">Allow</button>
        </div>
      </form>
    `,
  );
}

function renderConsentError(message: string): string {
  return renderPage('Something went wrong', `<h1>Something went wrong</h1><p>${escapeHtml(message)}</p>`);
}
