import type { IncomingMessage, ServerResponse } from 'node:http';
import { stringIn } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import {
  type ConsentChoice,
  type ConsentRequest,
  findAskingApp,
  listConsentChoices,
  readConsentRequest,
} from '../state/consent-request.ts';
import { answer } from './answer.ts';
import { consentErrorPage, consentPage, scopeField } from './consent-page.ts';
import { readBody } from './read-body.ts';
import { isOriginOurs } from './request-origin.ts';

function answerPage(response: ServerResponse, status: number, html: string, sendsTo = ''): void {
  answer(response, status, html, {
    'Content-Type': 'text/html; charset=utf-8',
    // A form may lead only where the app said that the person comes back to.
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; form-action 'self' ${sendsTo}; base-uri 'none'; frame-ancestors 'none'`,
    'X-Frame-Options': 'DENY',
    // With no-referrer a browser would not say either from where the form is sent.
    'Referrer-Policy': 'same-origin',
  });
}

/** Of an organisation: its workspaces that are named, or else all of them. */
function teamsOf(site: Site, holder: string, named: string | null): string[] {
  const all = site.slack.sites
    .filter(({ state }) => state.team.organisation === holder)
    .map(({ state }) => state.team.id);
  return named === null ? all : all.filter((id) => named.split(',').includes(id));
}

/** What the person left: all that the app cannot do without, and the optional scopes that they did not take away. */
function withoutDeclined(site: Site, request: ConsentRequest, form: URLSearchParams): ConsentRequest {
  const { optionalScopes } = site.manifest;
  const scopes = request.scopes.filter(
    (scope) => !optionalScopes.includes(scope) || form.has(scopeField(scope)),
  );
  return { ...request, scopes };
}

/** Where the person is sent: back to the app, with a code or with their refusal. */
function wayBack(
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
      teams: teamsOf(site, holder, teams),
      scopes,
      userScopes,
    };
    url.searchParams.set('code', site.slack.codes.make({ ...consent, redirectUri, hasRedirectUri }));
  } else url.searchParams.set('error', 'access_denied');
  if (request.state !== undefined) url.searchParams.set('state', request.state);
  return url.href;
}

async function decide(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  asked: ConsentRequest,
): Promise<void> {
  const form = new URLSearchParams(await readBody(request));
  if (!isOriginOurs(request)) return answer(response, 403, 'This page may not do that.');
  const choice = listConsentChoices(site).find(
    ({ holder, person }) => form.get('choice') === `${holder} ${person}`,
  );
  const allowed = form.get('answer') === 'allow';
  if (allowed && !choice) {
    return answerPage(response, 403, consentErrorPage('This person cannot install apps in this workspace.'));
  }
  const to = wayBack(
    site,
    withoutDeclined(site, asked, form),
    allowed ? choice : undefined,
    form.get('teams'),
  );
  answer(response, 302, '', { Location: to });
}

/** `/oauth/v2/authorize`: asks the person (GET), and sends them back to the app with what they said (POST). */
export async function serveAuthorize(
  { slack }: Site,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  try {
    const site = findAskingApp(slack, url.searchParams);
    const asked = readConsentRequest(site, url.searchParams);
    if (request.method === 'POST') return await decide(site, request, response, asked);
    const choices = listConsentChoices(site);
    const team = url.searchParams.get('team');
    const first = choices.find(({ holder }) => holder === team);
    const { origin } = new URL(asked.redirectUri);
    answerPage(response, 200, consentPage(site, asked, choices, first), origin);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerPage(response, 400, consentErrorPage(stringIn(error.details, 'description') ?? error.code));
  }
}
