import { getScopeField } from '../http/oauth-route.ts';
import { buildPageCookie } from '../http/page-access.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findAppOfClient } from '../state/apps.ts';
import { ActingError } from './acting-error.ts';

export interface InstallChoice {
  /** Installs the app for the person's whole organisation. Defaults to their workspace. */
  organisation?: boolean;
  /** The workspaces of the organisation that get the app: `T…`. Defaults to all. */
  teams?: readonly string[];
  /** Optional scopes that the person declines. */
  declinedScopes?: readonly string[];
  cancel?: boolean;
}

/** Answers Slack's consent page. Returns the address of the redirect to the app. Throws with the text of the page. */
export async function consent(
  site: Site,
  person: Person,
  authorizeUrl: string,
  choice: InstallChoice,
  browser = new Browser(site),
): Promise<string> {
  const holder = choice.organisation === true ? site.state.team.organisation : site.state.team.id;
  const client = URL.parse(browser.resolve(authorizeUrl))?.searchParams.get('client_id');
  const { optionalScopes } = (findAppOfClient(site.slack, client) ?? site).manifest;
  const accepted = optionalScopes.filter((scope) => choice.declinedScopes?.includes(scope) !== true);
  const response = await browser.request(authorizeUrl, {
    choice: `${holder} ${person.id}`,
    answer: choice.cancel === true ? 'cancel' : 'allow',
    ...Object.fromEntries(accepted.map((scope) => [getScopeField(scope), 'on'])),
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
  const browser = new Browser(site);
  const page = url.startsWith(authorize) ? { url, html: '' } : await browser.visit(url, authorize);
  const href = /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&');
  const to = href === undefined ? page.url : browser.resolve(href);
  if (!to.startsWith(authorize))
    throw new ActingError('install_failed', `${url} doesn't lead to Slack.`, page.html);
  return browser.visit(await consent(site, person, to, choice, browser));
}

/** An installation has fewer redirects. */
const MAX_REDIRECTS = 10;

export interface BrowserPage {
  status: number;
  url: string;
  html: string;
}

/** The address of Slack in apps that know only slack.com. */
const SLACK_ORIGIN = 'https://slack.com';

/** As much of a browser as an installation needs: cookies and redirects. Links to slack.com lead to the workspace. */
class Browser {
  readonly #workspaceUrl: string;
  readonly #cookies = new Map<string, string>();

  constructor({ slack, url }: Site) {
    this.#workspaceUrl = url;
    if (slack.pageToken === undefined) return;
    const { name, value } = buildPageCookie(slack.pageToken);
    this.#cookies.set(name, value);
  }

  /** The address that this browser opens for a link. */
  resolve(link: string): string {
    return link.startsWith(`${SLACK_ORIGIN}/`) ? this.#workspaceUrl + link.slice(SLACK_ORIGIN.length) : link;
  }

  /** Doesn't follow redirects. */
  async request(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.resolve(url), {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    }).catch((error: unknown) => {
      // The reason of a failed fetch is in its cause.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ActingError('install_failed', `${url} doesn't answer: ${reason}`);
    });
    for (const set of response.headers.getSetCookie()) this.#storeCookie(set);
    return response;
  }

  /** Opens an address and follows its redirects, up to an address that begins with `stopAt`. */
  async visit(url: string, stopAt?: string): Promise<BrowserPage> {
    let at = this.resolve(url);
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const response = await this.request(at);
      const { status } = response;
      const to = response.headers.get('location');
      if (to === null) return { status, url: at, html: await response.text() };
      at = this.resolve(new URL(to, at).href);
      await response.arrayBuffer();
      if (stopAt !== undefined && at.startsWith(stopAt)) return { status, url: at, html: '' };
    }
    throw new ActingError('install_failed', `${url} has more than ${MAX_REDIRECTS} redirects`);
  }

  #storeCookie(header: string): void {
    const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(header) ?? [];
    const seconds = /;\s*max-age=(-?\d+)/i.exec(header)?.[1];
    const expires = /;\s*expires=([^;]+)/i.exec(header)?.[1];
    const isExpired = seconds === undefined ? Date.parse(expires ?? '') < Date.now() : Number(seconds) <= 0;
    if (isExpired) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
