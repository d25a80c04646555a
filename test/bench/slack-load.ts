import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

export interface LoadResult {
  /** The number of requests. */
  requestCount: number;
  perSecond: number;
  /** The median response time, ms. */
  p50: number;
  /** The 99th percentile of the response times, ms. */
  p99: number;
  failedCount: number;
}

/**
 * The requests, each of which needs little more than an acknowledgement: `/upnext help`; the choice "none" in the menu
 * of projects; a search in this menu; and an event about another person.
 */
export const REQUEST_KINDS = ['commands', 'buttons', 'options', 'events'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

/** Number of users. There are many, because each may send only a few hundred requests a minute (src/slack/rate-limits.ts). */
const USER_COUNT = 500;
/** Number of requests so far. It continues in later loads, because two loads within a second must differ. */
let sentCount = 0;

/** Sends signed requests over persistent connections, `concurrency` at a time, for `durationMs`. */
export async function sendSlackRequests(options: {
  port: number;
  signingSecret: string;
  durationMs: number;
  concurrency: number;
  kind?: RequestKind;
}): Promise<LoadResult> {
  const { port, signingSecret, concurrency, kind = 'commands' } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  let failedCount = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + options.durationMs;
  const sendInTurn = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const signed = createSignature(signingSecret, createBody(kind, sentCount++));
      const status = await postBody(agent, port, { ...signed, isJson: kind === 'events' });
      times.push(performance.now() - sentAt);
      if (status !== 200) failedCount++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, sendInTurn));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const getPercentile = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return {
    requestCount: times.length,
    perSecond: times.length / seconds,
    p50: getPercentile(0.5),
    p99: getPercentile(0.99),
    failedCount,
  };
}

const TEAM = 'T000BENCH';
const CHANNEL = 'C000BENCH';
const APP = 'A000BENCH';

/** Creates the body of a request. Each has its own trigger or id, because the app refuses repeated requests. */
function createBody(kind: RequestKind, requestNumber: number): string {
  const user = `U000BENCH${requestNumber % USER_COUNT}`;
  const trigger = `${requestNumber}.${process.pid}.bench`;
  if (kind === 'commands') return createHelpCommand(user, trigger);
  if (kind === 'events') return createEvent(user, `Ev${process.pid}${requestNumber}`);
  const common = {
    team: { id: TEAM, domain: 'bench' },
    user: { id: user, username: 'ana', name: 'ana', team_id: TEAM },
    api_app_id: APP,
    token: 'unused',
    container: { type: 'message', message_ts: '1700000000.000100', channel_id: CHANNEL, is_ephemeral: true },
    channel: { id: CHANNEL, name: 'general' },
    trigger_id: trigger,
    enterprise: null,
    is_enterprise_install: false,
  };
  const select = { action_id: 'projects.choose', block_id: 'projects' };
  const payload =
    kind === 'options'
      ? { type: 'block_suggestion', ...common, ...select, value: 'harb' }
      : {
          type: 'block_actions',
          ...common,
          response_url: `https://hooks.slack.com/actions/${TEAM}/1/x`,
          actions: [
            {
              ...select,
              type: 'external_select',
              selected_option: { text: { type: 'plain_text', text: 'None' }, value: '-' },
              action_ts: '1700000000.000200',
            },
          ],
        };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

function createHelpCommand(user: string, trigger: string): string {
  return new URLSearchParams({
    token: 'unused',
    team_id: TEAM,
    team_domain: 'bench',
    channel_id: CHANNEL,
    channel_name: 'general',
    user_id: user,
    user_name: 'ana',
    command: '/upnext',
    text: 'help',
    api_app_id: APP,
    is_enterprise_install: 'false',
    response_url: `https://hooks.slack.com/commands/${TEAM}/1/x`,
    trigger_id: trigger,
  }).toString();
}

function createEvent(user: string, id: string): string {
  return JSON.stringify({
    token: 'unused',
    team_id: TEAM,
    api_app_id: APP,
    event: { type: 'member_joined_channel', user, channel: CHANNEL, channel_type: 'C', team: TEAM },
    type: 'event_callback',
    event_id: id,
    event_time: 1_700_000_000,
    authorizations: [{ enterprise_id: null, team_id: TEAM, user_id: 'U000BOT', is_bot: true }],
    is_ext_shared_channel: false,
  });
}

function createSignature(secret: string, body: string) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
  return { body, timestamp, signature };
}

function postBody(
  agent: Agent,
  port: number,
  { body, timestamp, signature, isJson }: ReturnType<typeof createSignature> & { isJson: boolean },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(body),
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature,
    };
    const outgoing = request({
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/slack/events',
      headers,
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.end(body);
  });
}
