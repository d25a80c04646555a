import { scopeField } from '../http/consent-page.ts';
import { pageCookie } from '../http/page-access.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { Browser, type Shown } from './browser.ts';

export interface InstallChoice {
  /** In the person's whole organisation, not in their workspace alone. */
  organisation?: boolean;
  /** Of an organisation, the workspaces that get the app: `T…`. All of them, unless told. */
  teams?: readonly string[];
  /** Optional scopes that the person takes away. */
  declinedScopes?: readonly string[];
  /** The person says no. */
  cancel?: boolean;
}

/** A browser that may open this workspace's pages. */
function browserFor({ slack, url }: Site): Browser {
  return new Browser(url, slack.pageToken === undefined ? [] : [pageCookie(slack.pageToken)]);
}

/** What a person says on Slack's page. Answers where they are sent: back to the app. Throws with what the page says. */
export async function consent(
  site: Site,
  person: Person,
  authorizeUrl: string,
  choice: InstallChoice,
  browser = browserFor(site),
): Promise<string> {
  const holder = choice.organisation === true ? site.state.team.organisation : site.state.team.id;
  const response = await browser.ask(authorizeUrl, {
    choice: `${holder} ${person.id}`,
    answer: choice.cancel === true ? 'cancel' : 'allow',
    ...Object.fromEntries(
      site.facts.optionalScopes
        .filter((scope) => choice.declinedScopes?.includes(scope) !== true)
        .map((scope) => [scopeField(scope), 'on']),
    ),
    ...(choice.teams ? { teams: choice.teams.join(',') } : {}),
  });
  const to = response.headers.get('location');
  const said = await response.text();
  if (to === null) throw new Error(`Slack says: ${said.replaceAll(/<[^>]*>|\s+/g, ' ').trim()}`);
  return to;
}

/**
 * A person installs the app, from its own page (`/slack/install`, a redirect to Slack or a link to it) to wherever they
 * end up.
 */
export async function install(
  site: Site,
  person: Person,
  url: string,
  choice: InstallChoice,
): Promise<Shown> {
  const authorize = `${site.url}/oauth/v2/authorize`;
  const browser = browserFor(site);
  const shown = url.startsWith(authorize) ? { url, html: '' } : await browser.visit(url, authorize);
  const href = /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&');
  const to = href === undefined ? shown.url : browser.resolve(href);
  if (!to.startsWith(authorize)) throw new Error(`${url} does not lead to Slack, but to:\n${shown.html}`);
  return browser.visit(await consent(site, person, to, choice, browser));
}
