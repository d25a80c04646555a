import { LogLevel, WebClient } from '@slack/web-api';
import { startWorkspace, type Workspace, type WorkspaceOptions } from '../../src/slack.ts';
import { listWords } from '../../src/words.ts';
import { WAIT_MS } from './wait.ts';

export { WAIT_MS } from './wait.ts';

/** A manifest with every kind of feature. */
export const TEST_MANIFEST = {
  display_information: { name: 'Tester', description: 'An app for tests' },
  features: {
    app_home: { home_tab_enabled: true },
    bot_user: { display_name: 'tester' },
    unfurl_domains: ['links.example'],
    slash_commands: [
      { command: '/form', description: 'Opens a form' },
      { command: '/say', description: 'Answers' },
      { command: '/slow', description: 'Never answers' },
    ],
    shortcuts: [
      { name: 'New thing', type: 'global', callback_id: 'new_thing', description: 'Makes one' },
      { name: 'About this', type: 'message', callback_id: 'about_this', description: 'Tells more' },
    ],
  },
  oauth_config: {
    scopes: {
      bot: listWords(`
        chat:write chat:write.customize commands users:read users:read.email users.profile:read channels:read
        channels:history channels:join channels:manage groups:write groups:read groups:history im:read im:write
        im:history files:read files:write app_mentions:read emoji:read team:read usergroups:read links:read links:write
        metadata.message:read mpim:history mpim:read mpim:write pins:read pins:write reactions:read reactions:write
      `),
    },
  },
  settings: {
    event_subscriptions: { bot_events: ['app_home_opened', 'app_mention', 'message.im'] },
  },
};

/** The same app with these bot scopes only. */
export const withScopes = (...bot: string[]) => ({ ...TEST_MANIFEST, oauth_config: { scopes: { bot } } });

/** The same app with subscriptions to these events only. */
export const withEvents = (...bot_events: string[]) => ({
  ...TEST_MANIFEST,
  settings: { event_subscriptions: { bot_events } },
});

/** Starts a workspace on a free port, with a client of Slack's SDK. */
export async function startTestWorkspace(options: Partial<WorkspaceOptions> = {}) {
  const workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest: TEST_MANIFEST,
    delivery: { kind: 'socket' },
    ...options,
  });
  return { workspace, client: createSlackClient(workspace) };
}

/** A logger for the SDK that prints nothing, because tests expect errors. */
export const SILENT = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

/** Creates a client without retries, because tests check the first response. */
export function createSlackClient(workspace: Workspace, token = workspace.botToken): WebClient {
  return new WebClient(token, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: SILENT,
  });
}

/** Waits for a call that Slack refuses, and returns its error and messages. */
export async function catchRefusal(call: Promise<unknown>): Promise<{ error: string; messages: string[] }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error && 'data' in error) {
      const data = error.data as { error: string; response_metadata?: { messages?: string[] } };
      return { error: data.error, messages: data.response_metadata?.messages ?? [] };
    }
    throw error;
  }
  throw new Error('The call was not refused');
}

/** Waits for a call that Slack refuses, and returns its error. */
export const catchError = async (call: Promise<unknown>): Promise<string> => (await catchRefusal(call)).error;
