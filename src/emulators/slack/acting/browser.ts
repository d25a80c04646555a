/** More redirects than any installation takes. */
const MOST_REDIRECTS = 10;

/** What a browser shows at the end of its way. */
export interface Shown {
  status: number;
  url: string;
  html: string;
}

/** The address of Slack in apps that know only slack.com. */
const SLACK_ORIGIN = 'https://slack.com';

/**
 * A person's browser, as far as an installation needs one: it stores cookies and follows redirects. Links to slack.com
 * lead to the workspace, as an app's own connections do with a preload.
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

  /** One request, its redirect not followed. */
  async ask(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.resolve(url), {
      redirect: 'manual',
      headers: cookie === '' ? {} : { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) this.#keep(set);
    return response;
  }

  /** Goes there and on to wherever it is sent, but not to an address that begins with `until`. */
  async visit(url: string, until?: string): Promise<Shown> {
    let at = this.resolve(url);
    for (let count = 0; count < MOST_REDIRECTS; count += 1) {
      const response = await this.ask(at);
      const to = response.headers.get('location');
      if (to === null) return { status: response.status, url: at, html: await response.text() };
      at = this.resolve(new URL(to, at).href);
      await response.arrayBuffer();
      if (until !== undefined && at.startsWith(until)) return { status: response.status, url: at, html: '' };
    }
    throw new Error(`${url} leads from one address to the next without an end`);
  }

  #keep(header: string): void {
    const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(header) ?? [];
    const seconds = /;\s*max-age=(-?\d+)/i.exec(header)?.[1];
    const until = /;\s*expires=([^;]+)/i.exec(header)?.[1];
    const over = seconds === undefined ? Date.parse(until ?? '') < Date.now() : Number(seconds) <= 0;
    if (over) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}
