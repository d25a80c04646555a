import type { InstalledBot } from '../../support/installed-bot.ts';

const fetchPage = (url: string, cookie: string | undefined) =>
  fetch(url, { redirect: 'manual', headers: cookie === undefined ? {} : { cookie } });

/** Opens the install page. Returns the browser's cookie and the address of the redirect. */
export async function openInstallPage({ installUrl }: Pick<InstalledBot, 'installUrl'>, cookie?: string) {
  const response = await fetchPage(installUrl, cookie);
  const setCookie = response.headers.get('set-cookie') ?? '';
  return {
    status: response.status,
    setCookie,
    cookie: setCookie.split(';')[0] ?? '',
    authorizeUrl: response.headers.get('location') ?? '',
  };
}

/** Follows Slack's redirect with this cookie. */
export async function followRedirect(url: string, cookie: string | undefined) {
  const response = await fetchPage(url, cookie);
  return { status: response.status, html: await response.text(), headers: response.headers };
}
