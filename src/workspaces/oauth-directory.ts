import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { WebClientOptions } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption } from '../access/access.ts';
import { createCache } from '../cache/cache.ts';
import { getClient } from '../clients.ts';
import { MINUTE_MS } from '../durations.ts';
import type { Log } from '../slack/log.ts';
import { APP_NAME } from '../slack/name.ts';
import { getSlackErrorCode } from '../slack/slack-errors.ts';
import { createInstallStates } from './install-state.ts';
import { createInstallations, type Installation, type Installations } from './installations.ts';
import {
  buildPublicUrl,
  createSlackOAuth,
  INSTALL_PATH,
  type NewInstallation,
  type OAuthSettings,
  REDIRECT_PATH,
  type SlackOAuth,
} from './slack-oauth.ts';
import type { EndDeliveries } from './sql/forget-workspace.ts';
import type { WorkspaceTables } from './tables.ts';
import type { BotAccessLookup, WorkspaceDirectory } from './workspace-directory.ts';

export function createOAuthDirectory(options: {
  slack: OAuthSettings;
  clientOptions: WebClientOptions;
  scopes: readonly string[];
  db: Kysely<WorkspaceTables>;
  encryption: Encryption;
  log: Log;
  now: () => Date;
  endDeliveries: EndDeliveries;
  onInstalled(installation: NewInstallation): Promise<void>;
}): WorkspaceDirectory {
  const { slack, db, encryption, log, now, onInstalled } = options;
  const oauth = createSlackOAuth(slack, options);
  const installations = createInstallations({
    endDeliveries: options.endDeliveries,
    db,
    encryption,
    now,
    refresh: (token) => oauth.refresh(token),
    onUnusable({ isRefreshRefused, ...fields }) {
      if (isRefreshRefused)
        log.error(fields, 'Slack refused the refresh token: the app must be installed again');
      else log.error(fields, 'could not read or refresh the tokens of an installation');
    },
  });
  const installUrl = buildPublicUrl(slack.publicUrl, INSTALL_PATH);
  const isHttps = installUrl.startsWith('https:');
  const states = createInstallStates({ now, isHttps, clientSecret: slack.clientSecret });
  let isStarted = false;
  return {
    async start() {
      isStarted = true;
    },
    stop() {
      isStarted = false;
    },
    isReady: () => isStarted,
    find: async (origin) => toBotAccess(await installations.find(origin)),
    findForWorkspace: async (workspace) => toBotAccess(await installations.findForWorkspace(workspace)),
    isConfiguredWorkspace: () => false,
    removal: installations,
    installUrl,
    serveInstallPage: createInstallRoutes({
      oauth,
      states,
      installations,
      installUrl,
      log,
      now,
      onInstalled,
    }),
  };
}

function toBotAccess(installation: Installation | 'unknown' | undefined): BotAccessLookup {
  if (!installation || installation === 'unknown') return installation;
  const { token, botUser, installedBy, id } = installation;
  return { token, botUser, installedBy, isOrgWide: id.startsWith('E') };
}

/**
 * The errors with which Slack refuses a code that was used before, or is too old.
 * https://docs.slack.dev/reference/methods/oauth.v2.access#errors
 */
const USED_CODES: readonly (string | undefined)[] = ['code_already_used', 'invalid_code'];

interface InstallOptions {
  oauth: SlackOAuth;
  states: ReturnType<typeof createInstallStates>;
  installations: Installations;
  installUrl: string;
  log: Log;
  now: () => Date;
  /** Called after the installation is stored. A rejection is only logged. */
  onInstalled(installation: NewInstallation): Promise<void>;
}

/** The OAuth pages: `/slack/install` redirects to Slack, and Slack to `/slack/oauth_redirect`. False for others. */
function createInstallRoutes(
  options: InstallOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  // Redirects aren't limited by address. Otherwise other visitors with the same address could block an installation that
  // the person has approved in Slack.
  const mayBegin = createVisitLimit(() => performance.now());
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path !== INSTALL_PATH && path !== REDIRECT_PATH) return false;
    const serve = async () => {
      const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers;
      // Browsers send no body with a GET.
      if (request.method !== 'GET' || encoding !== undefined || Number(length) > 0) {
        // The connection can't be reused while part of the body is unread.
        response.writeHead(405, { allow: 'GET', 'content-length': 0, connection: 'close' }).end();
      } else if (path === INSTALL_PATH) beginInstallation(options, { request, response, mayBegin });
      else sendPage(response, await completeInstallation(options, request));
    };
    serve().catch((error: unknown) => {
      options.log.error({ err: error }, 'installation request failed');
      // The app may be installed.
      const text = `If ${APP_NAME} answers in Slack, it’s installed. If not, try again.`;
      const page = { ...buildFailedPage(options), status: 500, title: 'Something went wrong', text };
      if (!response.headersSent) sendPage(response, page);
    });
    return true;
  };
}

function beginInstallation(
  options: InstallOptions,
  visit: { request: IncomingMessage; response: ServerResponse; mayBegin: (visitor: string) => boolean },
): void {
  const { request, response, mayBegin } = visit;
  if (!mayBegin(getClient(request).address)) {
    sendPage(response, buildTooManyPage(options));
    return;
  }
  const session = options.states.issue(request.headers.cookie);
  response.writeHead(302, {
    location: options.oauth.buildAuthorizeUrl(session.state),
    'set-cookie': session.setCookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-length': 0,
  });
  response.end();
}

async function completeInstallation(options: InstallOptions, request: IncomingMessage): Promise<InstallPage> {
  const { searchParams: query } = new URL(request.url ?? '', 'http://here.invalid');
  const redirect = { state: query.get('state'), cookies: request.headers.cookie };
  if (!options.states.use(redirect)) return buildOutOfDatePage(options);
  const code = query.get('code');
  if (query.has('error') || code === null)
    return {
      status: 200,
      title: 'Nothing was installed',
      text: 'You didn’t allow it in Slack, so nothing has changed.',
      link: buildRestartLink(options),
    };
  let installation: NewInstallation;
  try {
    installation = await options.oauth.exchangeCode(code);
  } catch (error) {
    options.log.warn({ err: error }, 'could not exchange the OAuth code');
    const isUsed = USED_CODES.includes(getSlackErrorCode(error));
    return isUsed ? buildOutOfDatePage(options) : buildFailedPage(options);
  }
  const { id, name, botUser, installedBy, tokens } = installation;
  const installedAt = options.now();
  await options.installations.save({ id, name, botUser, installedBy, installedAt }, tokens);
  options.log.info({ installation: id, by: installedBy }, 'app installed');
  const text = await options.onInstalled(installation).then(
    () => 'It has sent you the next steps in Slack.',
    (error: unknown) => {
      options.log.warn({ installation: id, err: error }, 'could not send the welcome message');
      return 'Type /upnext help in Slack for the next steps.';
    },
  );
  return buildInstalledPage(installation, text);
}

function buildInstalledPage({ id, name, app }: NewInstallation, text: string): InstallPage {
  const place = name === '' ? 'Slack' : name;
  return {
    status: 200,
    title: `${APP_NAME} is installed in ${place}`,
    text,
    link: {
      href: `https://slack.com/app_redirect?${new URLSearchParams({ app, ...(id.startsWith('T') && { team: id }) })}`,
      text: `Open ${APP_NAME} in Slack`,
    },
  };
}

const buildRestartLink = ({ installUrl }: InstallOptions) => ({ href: installUrl, text: 'Begin again' });

function buildTooManyPage(options: InstallOptions): InstallPage {
  return {
    status: 429,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    title: 'Too many at once',
    text: 'There were too many installations from here just now. Try again in a minute.',
    link: buildRestartLink(options),
  };
}

function buildOutOfDatePage(options: InstallOptions): InstallPage {
  return {
    status: 400,
    title: 'Nothing new was installed',
    text: `This page is from another browser, was already used, or is older than ten minutes. If ${APP_NAME} answers in Slack, it’s installed.`,
    link: buildRestartLink(options),
  };
}

function buildFailedPage(options: InstallOptions): InstallPage {
  return {
    status: 502,
    title: 'Nothing was installed',
    text: 'Slack didn’t confirm the installation. Try again: it usually works the second time.',
    link: buildRestartLink(options),
  };
}

/** The page at the end of an installation. `sendPage` escapes all texts. */
interface InstallPage {
  status: number;
  title: string;
  text: string;
  link?: { href: string; text: string };
  retryAfterSeconds?: number;
}

const STYLE = `
  body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: #1d1c1d; background: #f8f8f8; }
  main { max-width: 34rem; margin: 12vh auto; padding: 2rem; background: #fff; border: 1px solid #ddd; border-radius: 12px; }
  h1 { margin: 0 0 1rem; font-size: 1.5rem; }
  a { color: #1264a3; }
  @media (prefers-color-scheme: dark) {
    body { color: #e8e8e8; background: #1a1d21; }
    main { background: #222529; border-color: #444; }
    a { color: #6cb6ff; }
  }`;

/** Sends the page with headers that forbid scripts, requests to other addresses, framing and caching. */
function sendPage(response: ServerResponse, page: InstallPage): void {
  const nonce = randomBytes(16).toString('base64');
  const { link, retryAfterSeconds } = page;
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  response.end(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(page.title)}</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(page.title)}</h1>
      <p>${escapeHtml(page.text)}</p>
      ${link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>` : ''}
    </main>
  </body>
</html>
`);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Maximum visits per address and window. The limit is high, because a whole company may share an address. */
const MAX_VISITS = 120;
const VISIT_WINDOW_MS = MINUTE_MS;
/** Maximum number of visitors in memory. */
const MAX_VISITORS = 10_000;

/**
 * A rate limit for the install pages, which need no signature. Returns a function that counts a visit and returns
 * whether it is allowed. If there are too many visitors, the least recent ones are evicted, so that no visitor is
 * refused because of other visitors. `clock` is monotonic, in ms.
 */
export function createVisitLimit(clock: () => number): (visitor: string) => boolean {
  const counters = createCache<{ visits: number }>({
    maxAgeMs: VISIT_WINDOW_MS,
    max: MAX_VISITORS,
    now: clock,
  });
  return (visitor) => {
    const counter = counters.get(visitor) ?? { visits: 0 };
    if (counter.visits === 0) counters.set(visitor, counter);
    counter.visits += 1;
    return counter.visits <= MAX_VISITS;
  };
}

/** The `Retry-After` header of a refused visit. */
const RETRY_AFTER_SECONDS = VISIT_WINDOW_MS / 1000;
