import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Log } from '../../slack/log.ts';
import { APP_NAME } from '../../slack/name.ts';
import { slackErrorCode } from '../../slack/slack-trouble.ts';
import type { Installations } from '../installations.ts';
import { answerPage, type InstallPage } from './install-page.ts';
import type { installStates } from './install-state.ts';
import { type Granted, INSTALL_PATH, REDIRECT_PATH, type SlackOAuth } from './slack-oauth.ts';
import { visitLimit, WAIT_SECONDS } from './visit-limit.ts';
import { visitorOf } from './visitor-address.ts';

/** A page that is loaded again in a hurry; each time, the state is looked up. */
const MAX_RETURNS = 20;

interface InstallOptions {
  oauth: SlackOAuth;
  states: ReturnType<typeof installStates>;
  installations: Installations;
  /** Those whose word counts for whom they ask. */
  trusted: BlockList;
  /** The address of the first page. */
  installUrl: string;
  log: Log;
  now: () => Date;
  /** Once it is kept; what fails here fails nothing else. */
  onInstalled(granted: Granted): Promise<void>;
}

/**
 * `GET /slack/install` leads to Slack, which leads back to `GET /slack/oauth_redirect`. False for every other path:
 * somebody else's.
 */
export function installRoutes(
  options: InstallOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const clock = () => performance.now();
  const mayBegin = visitLimit(clock);
  // Whoever has agreed in Slack is refused for nobody else's visits: only for their own with the same state.
  const mayComeBack = visitLimit(clock, MAX_RETURNS);
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    if (path !== INSTALL_PATH && path !== REDIRECT_PATH) return false;
    const serve = async () => {
      if (request.method !== 'GET' || hasBody(request)) {
        // What was not read to its end leaves the connection useless.
        response.writeHead(405, { allow: 'GET', 'content-length': 0, connection: 'close' }).end();
      } else if (path === INSTALL_PATH) await begin(options, { request, response, mayBegin });
      else answerPage(response, await comeBack(options, request, mayComeBack));
    };
    serve().catch((error: unknown) => {
      options.log.error({ err: error }, 'an installation failed on our side');
      if (!response.headersSent) answerPage(response, { ...failed(options), status: 500 });
    });
    return true;
  };
}

/** No browser sends one with a GET. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function begin(
  options: InstallOptions,
  visit: { request: IncomingMessage; response: ServerResponse; mayBegin: (visitor: string) => boolean },
): Promise<void> {
  const { request, response, mayBegin } = visit;
  const address = visitorOf(request, options.trusted);
  const { cookie: cookies } = request.headers;
  const begun = mayBegin(address) ? await options.states.begin({ cookies, address }) : undefined;
  if (!begun) return answerPage(response, tooMany(options));
  response.writeHead(302, {
    location: options.oauth.authorizeUrl(begun.state),
    'set-cookie': begun.setCookie,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'content-length': 0,
  });
  response.end();
}

async function comeBack(
  options: InstallOptions,
  request: IncomingMessage,
  mayComeBack: (state: string) => boolean,
): Promise<InstallPage> {
  const { searchParams: query } = new URL(request.url ?? '', 'http://here.invalid');
  const back = { state: query.get('state'), cookies: request.headers.cookie };
  // Before anything else: whatever comes with a state that is not this browser's was not begun here.
  if (!options.states.isGiven(back)) return outOfDate(options);
  if (!mayComeBack(back.state ?? '')) return tooMany(options);
  if (!(await options.states.use(back))) return outOfDate(options);
  const code = query.get('code');
  if (query.has('error') || code === null) return cancelled(options);
  let granted: Granted;
  try {
    granted = await options.oauth.exchange(code);
  } catch (error) {
    const reason = slackErrorCode(error);
    options.log.warn({ reason: reason ?? String(error) }, 'Slack did not take the code of an installation');
    return failed(options);
  }
  const { id, name, botUser, installedBy, tokens } = granted;
  const installedAt = options.now();
  await options.installations.keep({ id, name, botUser, installedBy, installedAt }, tokens);
  options.log.info({ installation: id, by: installedBy }, 'installed');
  await options
    .onInstalled(granted)
    .catch((error: unknown) =>
      options.log.warn({ installation: id, err: error }, 'who installed could not be told what comes next'),
    );
  return installed(granted);
}

function installed({ id, name, app }: Granted): InstallPage {
  const where = name === '' ? 'Slack' : name;
  return {
    status: 200,
    title: `${APP_NAME} is installed in ${where}`,
    text: `It has written to you in Slack what comes next: connecting the scheduling service, and choosing what each channel is about.`,
    link: {
      href: `https://slack.com/app_redirect?${new URLSearchParams({ app, ...(id.startsWith('T') && { team: id }) })}`,
      text: `Open ${APP_NAME} in Slack`,
    },
  };
}

const again = ({ installUrl }: InstallOptions) => ({ href: installUrl, text: 'Begin again' });

function tooMany(options: InstallOptions): InstallPage {
  return {
    status: 429,
    retryAfterSeconds: WAIT_SECONDS,
    title: 'Too many at once',
    text: 'Very many installations were begun from here just now. Please try again in a minute.',
    link: again(options),
  };
}

function outOfDate(options: InstallOptions): InstallPage {
  return {
    status: 400,
    title: 'Nothing was installed',
    text: 'This page belongs to another browser, was used already, or is older than ten minutes.',
    link: again(options),
  };
}

function cancelled(options: InstallOptions): InstallPage {
  return {
    status: 200,
    title: 'Nothing was installed',
    text: `Slack says that you did not allow it. ${APP_NAME} has nothing of your workspace.`,
    link: again(options),
  };
}

function failed(options: InstallOptions): InstallPage {
  return {
    status: 502,
    title: 'Nothing was installed',
    text: 'Slack did not confirm the installation. It usually works the second time.',
    link: again(options),
  };
}
