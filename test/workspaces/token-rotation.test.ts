import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { createSlackClient, SILENT, WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { endDeliveries } from '../../src/app/capabilities.ts';
import { features } from '../../src/app/features.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { createInstallations, type Installations } from '../../src/workspaces/installations.ts';
import { createSlackOAuth } from '../../src/workspaces/slack-oauth.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot-database.ts';
import { listenOnFreePort } from '../support/listening-port.ts';

// Several instances with one database, and an emulated Slack that rotates tokens like the real Slack.

const HOUR_MS = 60 * 60 * 1000;
const ORIGIN = 'https://upnext.example.com';
const SCOPES = ['chat:write', 'commands'];
const QUERY = { workspace: 'T01HARBOUR', organisation: undefined, isOrgWide: false };
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
let database: BotDatabase;
let workspace: Workspace;
let slackProxy: Server;
let apiUrl: string;
/** How many of the next responses to a refresh are lost. */
let lostCount: number;
let refreshCount: number;
let reportedInstallations: unknown[];

beforeEach(async () => {
  [lostCount, refreshCount, reportedInstallations] = [0, 0, []];
  database = await openBotDatabase();
  workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest: buildManifest(features, { requestUrl: `${ORIGIN}/slack/events`, isForMany: true }),
    delivery: { kind: 'http', url: 'http://127.0.0.1:9/slack/events' },
    installed: false,
  });
  slackProxy = createServer((request, response) => {
    forwardToSlack(request, response).catch(() => request.socket.destroy());
  });
  apiUrl = `http://127.0.0.1:${await listenOnFreePort(slackProxy)}/api/`;
  const redirectParams = new URL(
    await workspace.as('Ana').consent(createOAuth(workspace.apiUrl).buildAuthorizeUrl('state')),
  ).searchParams;
  const { id, name, botUser, installedBy, tokens } = await createOAuth().exchangeCode(
    redirectParams.get('code') ?? '',
  );
  await createInstance().save({ id, name, botUser, installedBy, installedAt: now() }, tokens);
});
afterEach(async () => {
  slackProxy.close();
  slackProxy.closeAllConnections();
  await workspace.close();
  await database.close();
});

/** Forwards requests to Slack, and Slack's responses except the lost ones. */
async function forwardToSlack(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const isRefresh = body.includes('grant_type=refresh_token');
  if (isRefresh) refreshCount += 1;
  const isLost = isRefresh && lostCount > 0;
  if (isLost) lostCount -= 1;
  const slackResponse = await fetch(new URL(request.url ?? '', workspace.apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  const responseText = await slackResponse.text();
  if (isLost) request.socket.destroy();
  else response.writeHead(slackResponse.status, { 'content-type': 'application/json' }).end(responseText);
}

const now = () => new Date(workspace.clock.now());

function createOAuth(oauthApiUrl = apiUrl) {
  const { clientId, clientSecret } = workspace;
  return createSlackOAuth(
    { clientId, clientSecret, publicUrl: ORIGIN, apiUrl: oauthApiUrl },
    {
      scopes: SCOPES,
      clientOptions: { logger: SILENT, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
      now,
    },
  );
}

function createInstance(): Installations {
  return createInstallations({
    endDeliveries,
    db: database.db,
    encryption,
    now,
    refresh: (token) => createOAuth().refresh(token),
    onUnusable: (fields) => reportedInstallations.push(fields),
  });
}

async function findToken(someInstance: Installations): Promise<string> {
  const installation = await someInstance.find(QUERY);
  return installation && installation !== 'unknown' ? installation.token : String(installation);
}
const isTokenValid = async (token: string) => (await createSlackClient(workspace, token).auth.test()).ok;

test('three instances always have a valid token, and only one of them refreshes each token', async () => {
  const instances = [createInstance(), createInstance(), createInstance()];
  const tokens = new Set<string>();
  for (let hours = 0; hours < 72; hours += 1) {
    const currentTokens = await Promise.all(instances.map(findToken));
    for (const token of new Set(currentTokens)) {
      expect(token).toMatch(/^xoxe\.xoxb-1-/);
      expect(await isTokenValid(token)).toBe(true);
      tokens.add(token);
    }
    workspace.clock.advance(HOUR_MS);
  }
  // A refresh every ten hours, which is two hours before the token expires.
  expect([tokens.size, refreshCount]).toEqual([8, 7]);
  expect(reportedInstallations).toEqual([]);
});

test('a refresh whose response was lost is repeated at once', async () => {
  const someInstance = createInstance();
  workspace.clock.advance(13 * HOUR_MS);
  lostCount = 1;
  expect(await isTokenValid(await findToken(someInstance))).toBe(true);
  workspace.clock.advance(13 * HOUR_MS);
  expect(await isTokenValid(await findToken(createInstance()))).toBe(true);
  expect(refreshCount).toBe(3);
  expect(reportedInstallations).toEqual([]);
});

test('if both responses are lost, the old token is used until the next request refreshes it', async () => {
  const someInstance = createInstance();
  const first = await findToken(someInstance);
  workspace.clock.advance(11 * HOUR_MS);
  lostCount = 2;
  expect(await findToken(someInstance)).toBe(first);
  workspace.clock.advance(15_000);
  const second = await findToken(someInstance);
  expect(second).not.toBe(first);
  expect(await isTokenValid(second)).toBe(true);
  expect(reportedInstallations).toEqual([]);
});
