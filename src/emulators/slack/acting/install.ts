import { getScopeField } from '../http/consent-page.ts';
import { buildPageCookie } from '../http/page-access.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppOfClient } from '../state/apps.ts';
import { ActingError } from './acting-error.ts';
import { Browser, type BrowserPage } from './browser.ts';

export interface InstallChoice {
  /** Installs the app for the person's whole organisation. Defaults to their workspace. */
  organisation?: boolean;
  /** The workspaces of the organisation that get the app: `T…`. Defaults to all. */
  teams?: readonly string[];
  /** Optional scopes that the person declines. */
  declinedScopes?: readonly string[];
  /** Whether the person cancels. */
  cancel?: boolean;
}

/** Creates a browser that may open this workspace's pages. */
function createBrowser({ slack, url }: Site): Browser {
  return new Browser(url, slack.pageToken === undefined ? [] : [buildPageCookie(slack.pageToken)]);
}

/** Answers Slack's consent page. Returns the address of the redirect to the app. Throws with the text of the page. */
export async function consent(
  site: Site,
  person: Person,
  authorizeUrl: string,
  choice: InstallChoice,
  browser = createBrowser(site),
): Promise<string> {
  const holder = choice.organisation === true ? site.state.team.organisation : site.state.team.id;
  const client = URL.parse(browser.resolve(authorizeUrl))?.searchParams.get('client_id');
  const { optionalScopes } = (findAppOfClient(site.slack, client) ?? site).manifest;
  const response = await browser.request(authorizeUrl, {
    choice: `${holder} ${person.id}`,
    answer: choice.cancel === true ? 'cancel' : 'allow',
    ...Object.fromEntries(
      optionalScopes
        .filter((scope) => choice.declinedScopes?.includes(scope) !== true)
        .map((scope) => [getScopeField(scope), 'on']),
    ),
    ...(choice.teams ? { teams: choice.teams.join(',') } : {}),
  });
  const to = response.headers.get('location');
  const page = await response.text();
  if (to !== null) return to;
  throw new ActingError('install_failed', `Slack says: ${page.replaceAll(/<[^>]*>|\s+/g, ' ').trim()}`);
}

/** Installs the app from its own page, which links or redirects to Slack, and follows all redirects afterwards. */
export async function install(
  site: Site,
  person: Person,
  url: string,
  choice: InstallChoice,
): Promise<BrowserPage> {
  const authorize = `${site.url}/oauth/v2/authorize`;
  const browser = createBrowser(site);
  const page = url.startsWith(authorize) ? { url, html: '' } : await browser.visit(url, authorize);
  const href = /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
  const to = href === undefined ? page.url : browser.resolve(href);
  if (!to.startsWith(authorize))
    throw new ActingError('install_failed', `${url} doesn't lead to Slack.`, page.html);
  return browser.visit(await consent(site, person, to, choice, browser));
}
