import { ActingError } from './acting-error.ts';

/** An installation has fewer redirects. */
const MAX_REDIRECTS = 10;

/** The page that a browser shows in the end. */
export interface BrowserPage {
  status: number;
  url: string;
  html: string;
}

/** The address of Slack in apps that know only slack.com. */
const SLACK_ORIGIN = 'https://slack.com';

/**
 * A person's browser, as far as an installation needs one: it stores cookies and follows redirects. Links to slack.com
 * lead to the workspace.
 */
export class Browser {
  readonly #workspaceUrl: string;
  readonly #cookies: Map<string, string>;

  constructor(workspaceUrl: string, cookies: readonly { name: string; value: string }[]) {
    this.#workspaceUrl = workspaceUrl;
    this.#cookies = new Map(cookies.map(({ name, value }) => [name, value]));
  }

  /** The address that this browser opens for a link. */
  resolve(link: string): string {
    return link.startsWith(`${SLACK_ORIGIN}/`) ? this.#workspaceUrl + link.slice(SLACK_ORIGIN.length) : link;
  }

  /** Sends one request, without following a redirect. */
  async request(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.resolve(url), {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    }).catch((error: unknown) => {
      throw new ActingError('install_failed', `${url} doesn't answer: ${describeFailure(error)}`);
    });
    for (const set of response.headers.getSetCookie()) this.#storeCookie(set);
    return response;
  }

  /** Opens an address and follows its redirects, up to an address that begins with `stopAt`. */
  async visit(url: string, stopAt?: string): Promise<BrowserPage> {
    let at = this.resolve(url);
    for (let count = 0; count < MAX_REDIRECTS; count += 1) {
      const response = await this.request(at);
      const to = response.headers.get('location');
      if (to === null) return { status: response.status, url: at, html: await response.text() };
      at = this.resolve(new URL(to, at).href);
      await response.arrayBuffer();
      if (stopAt !== undefined && at.startsWith(stopAt))
        return { status: response.status, url: at, html: '' };
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

/** The reason of a failed fetch is in its cause. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
