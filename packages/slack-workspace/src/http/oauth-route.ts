import type { IncomingMessage, ServerResponse } from 'node:http';
import { getString } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import {
  type ConsentChoice,
  type ConsentRequest,
  findRequestingApp,
  listConsentChoices,
  readConsentRequest,
} from '../state/consent-request.ts';
import { answer } from './answer.ts';
import { getScopeField, renderConsentError, renderConsentPage } from './consent-page.ts';
import { readBody } from './read-body.ts';
import { isOriginOurs } from './request-origin.ts';

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

/** Removes the optional scopes that the person declined. */
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
    url.searchParams.set('code', site.slack.codes.make({ ...consent, redirectUri, hasRedirectUri }));
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
  if (isAllowed && !choice) {
    return answerPage(response, 403, renderConsentError('This person can’t install apps in this workspace.'));
  }
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
