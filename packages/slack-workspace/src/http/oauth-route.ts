import type { ServerResponse } from 'node:http';
import { getString } from '../json.ts';
import type { Person } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Consent, Site } from '../site.ts';
import { findAppOfClient } from '../state/apps.ts';
import { isGuest } from '../state/directory.ts';
import { makeCode } from '../state/grants.ts';
import { answer, type HttpCall, readBody } from './answer.ts';
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

/** Builds the address of the app to which the person returns, with a code or with `access_denied`. */
function buildRedirectUrl(
  site: Site,
  { state, ...request }: ConsentRequest,
  choice: ConsentChoice | undefined,
  form: URLSearchParams,
): string {
  const url = new URL(request.redirectUri);
  if (choice) {
    const { holder, person } = choice;
    const { optionalScopes } = site.manifest;
    const scopes = request.scopes.filter(
      (scope) => !optionalScopes.includes(scope) || form.has(getScopeField(scope)),
    );
    const all = site.slack.sites
      .map((each) => each.state.team)
      .filter((team) => team.organisation === holder.id);
    // Defaults to all workspaces of the organisation.
    const chosen = form.get('teams')?.split(',');
    const teams = all.map(({ id }) => id).filter((id) => chosen?.includes(id) !== false);
    const place = { client: site.clientId, holder: holder.id, person: person.id, teams };
    url.searchParams.set('code', makeCode(site, { ...request, ...place, scopes }));
  } else url.searchParams.set('error', 'access_denied');
  if (state !== undefined) url.searchParams.set('state', state);
  return url.href;
}

async function answerDecision({ site, request, response }: HttpCall, consentRequest: ConsentRequest) {
  const form = new URLSearchParams(await readBody(request));
  if (!isOriginOurs(request)) return answer(response, 403, 'This page may not do that.');
  const choice = listConsentChoices(site).find((each) => form.get('choice') === formatChoice(each));
  const isAllowed = form.get('answer') === 'allow';
  if (isAllowed && !choice)
    return answerPage(response, 403, renderConsentError('This person can’t install apps in this workspace.'));
  const url = buildRedirectUrl(site, consentRequest, isAllowed ? choice : undefined, form);
  answer(response, 302, '', { Location: url });
}

/** `/oauth/v2/authorize`: GET asks the person for approval, and POST redirects them to the app. */
export async function serveAuthorize(call: HttpCall): Promise<void> {
  const { request, response, url } = call;
  try {
    const site = findAppOfClient(call.site.slack, url.searchParams.get('client_id'));
    if (!site) throw new Refusal('invalid_client_id', { description: 'Invalid client_id parameter' });
    const consentRequest = readConsentRequest(site, url.searchParams);
    if (request.method === 'POST') return await answerDecision({ ...call, site }, consentRequest);
    const choices = listConsentChoices(site);
    const team = url.searchParams.get('team');
    const initialChoice = choices.find(({ holder }) => holder.id === team);
    const { origin } = new URL(consentRequest.redirectUri);
    answerPage(response, 200, renderConsentPage(site, consentRequest, choices, initialChoice), origin);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerPage(response, 400, renderConsentError(getString(error.details, 'description') ?? error.code));
  }
}

type ConsentRequest = Pick<Consent, 'scopes' | 'userScopes' | 'redirectUri' | 'hasRedirectUri'> & {
  state: string | undefined;
};

/** A person who can allow a request, and the workspace or organisation for which they can. */
interface ConsentChoice {
  holder: { id: string; name: string };
  person: Person;
}

/** The value of a choice in the form. */
const formatChoice = ({ holder, person }: ConsentChoice) => `${holder.id} ${person.id}`;

function splitScopes(text: string | null): string[] {
  return (text ?? '').split(/[,\s]+/).filter((scope) => scope !== '');
}

/** The redirect_uri must start with an address of the manifest. Slack requires https, here except on this machine. */
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
      .map((person) => ({ holder: state.team, person })),
  );
  if (app !== slack.sites[0] || !app.manifest.isOrgDeployEnabled) return members;
  const admins = slack.organisations.flatMap((organisation) =>
    members
      .filter(({ holder, person }) => holder.organisation === organisation.id && person.role !== 'member')
      .map(({ person }) => ({ holder: organisation, person })),
  );
  return [...members, ...admins];
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
    <link rel="stylesheet" href="/page/style.css">
  </head>
  <body>
    <main class="consent">${body}</main>
  </body>
</html>
`;
}

function renderOption(choice: ConsentChoice, isChosen: boolean): string {
  const selected = isChosen ? ' selected' : '';
  return `<option value="${formatChoice(choice)}"${selected}>${escapeHtml(choice.person.realName)}</option>`;
}

/** The name of an optional scope's checkbox. */
export const getScopeField = (scope: string) => `scope ${scope}`;

function renderOptionalScope(scope: string): string {
  const name = escapeHtml(getScopeField(scope));
  return `<label class="choose-one"><input type="checkbox" name="${name}" checked> ${escapeHtml(scope)}</label>`;
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
  const groups = [...Map.groupBy(choices, ({ holder }) => holder)].map(([{ id, name: holderName }, list]) => {
    const label = id.startsWith('E') ? `All of ${holderName}` : holderName;
    const options = list.map((choice) => renderOption(choice, choice === initialChoice));
    return `<optgroup label="${escapeHtml(label)}">${options.join('')}</optgroup>`;
  });
  return renderPage(
    `Install ${site.manifest.name}`,
    `
      <h1>${name} is requesting access to a workspace</h1>
      <form method="post">
        <label class="input-label" for="choice">Workspace and approver</label>
        <select id="choice" name="choice" class="field">${groups.join('')}</select>
        <p>It will be able to:</p>
        <ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
        ${optional === '' ? '' : `<fieldset class="box"><legend>It can do without:</legend>${optional}</fieldset>`}
        <div class="row">
          <button name="answer" value="cancel" class="button">Cancel</button>
          <button name="answer" value="allow" class="button button-primary">Allow</button>
        </div>
      </form>
    `,
  );
}

function renderConsentError(message: string): string {
  return renderPage('Something went wrong', `<h1>Something went wrong</h1><p>${escapeHtml(message)}</p>`);
}
