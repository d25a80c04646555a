import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEncryption } from '../../src/access/access.ts';
import { features } from '../../src/app/features.ts';
import { startWorkspace, type Workspace } from '../../src/emulators/slack/slack.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { createSlackOAuth } from '../../src/workspaces/install/slack-oauth.ts';
import { createInstallations, type Installations } from '../../src/workspaces/installations.ts';
import { type BotDatabase, openBotDatabase } from '../support/bot.ts';
import { listeningPort } from '../support/listening-port.ts';
import { clientFor, SILENT } from '../support/workspace.ts';

/** Several instances, one database, and a Slack that rotates tokens as the real one does. */

const HOUR = 60 * 60 * 1000;
const ORIGIN = 'https://upnext.example.com';
const SCOPES = ['chat:write', 'commands'];
const FROM = { workspace: 'T01HARBOUR', organisation: undefined, isOrgWide: false };
const encryption = createEncryption([{ id: 'test', key: randomBytes(32) }]);
let database: BotDatabase;
let workspace: Workspace;
let between: Server;
let apiUrl: string;
/** How many of the next answers to a refresh are lost. */
let lost: number;
let refreshes: number;
let unusable: unknown[];

beforeEach(async () => {
  [lost, refreshes, unusable] = [0, 0, []];
  database = await openBotDatabase();
  workspace = await startWorkspace({
    port: 0,
    manifest: buildManifest(features, { requestUrl: `${ORIGIN}/slack/events`, isForMany: true }),
    delivery: { kind: 'http', url: 'http://127.0.0.1:9/slack/events' },
    installed: false,
  });
  between = createServer((request, response) => {
    forward(request, response).catch(() => request.socket.destroy());
  });
  apiUrl = `http://127.0.0.1:${await listeningPort(between)}/api/`;
  const code = new URL(await workspace.as('Ana').consent(oauth(workspace.apiUrl).buildAuthorizeUrl('state')))
    .searchParams;
  const { id, name, botUser, installedBy, tokens } = await oauth().exchangeCode(code.get('code') ?? '');
  await instance().save({ id, name, botUser, installedBy, installedAt: now() }, tokens);
});
afterEach(async () => {
  between.close();
  between.closeAllConnections();
  await workspace.close();
  await database.close();
});

/** Forwards requests to Slack, and its answers unless they are to be lost. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const isRefresh = body.includes('grant_type=refresh_token');
  if (isRefresh) refreshes += 1;
  const isLost = isRefresh && lost > 0;
  if (isLost) lost -= 1;
  const answer = await fetch(new URL(request.url ?? '', workspace.apiUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  const answerText = await answer.text();
  if (isLost) request.socket.destroy();
  else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answerText);
}

const now = () => new Date(workspace.clock.now());

function oauth(at = apiUrl) {
  const { clientId, clientSecret } = workspace;
  return createSlackOAuth(
    { clientId, clientSecret, publicUrl: ORIGIN, apiUrl: at },
    {
      scopes: SCOPES,
      clientOptions: { logger: SILENT, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
      now,
    },
  );
}

function instance(): Installations {
  return createInstallations({
    ...{ db: database.db, encryption, now },
    refresh: (token) => oauth().refresh(token),
    onUnusable: (facts) => unusable.push(facts),
  });
}

async function tokenOf(one: Installations): Promise<string> {
  const found = await one.find(FROM);
  return found && found !== 'unknown' ? found.token : String(found);
}
const works = async (token: string) => (await clientFor(workspace, token).auth.test()).ok;

test('for three days three instances always have a valid token, and each token is requested by one of them', async () => {
  const instances = [instance(), instance(), instance()];
  const tokens = new Set<string>();
  for (let hours = 0; hours < 72; hours += 1) {
    const all = await Promise.all(instances.map(tokenOf));
    for (const token of new Set(all)) {
      expect(token).toMatch(/^xoxe\.xoxb-1-/);
      expect(await works(token)).toBe(true);
      tokens.add(token);
    }
    workspace.clock.advance(HOUR);
  }
  // Every ten hours, which is two hours before the expiry.
  expect([tokens.size, refreshes]).toEqual([8, 7]);
  expect(unusable).toEqual([]);
});

test('after a lost answer the refresh is repeated at once', async () => {
  const one = instance();
  workspace.clock.advance(13 * HOUR);
  lost = 1;
  expect(await works(await tokenOf(one))).toBe(true);
  workspace.clock.advance(13 * HOUR);
  expect(await works(await tokenOf(instance()))).toBe(true);
  expect(refreshes).toBe(3);
  expect(unusable).toEqual([]);
});

test('if both answers are lost the old token is used while it is valid, and the next request refreshes again', async () => {
  const one = instance();
  const first = await tokenOf(one);
  workspace.clock.advance(11 * HOUR);
  lost = 2;
  expect(await tokenOf(one)).toBe(first);
  workspace.clock.advance(15_000);
  const second = await tokenOf(one);
  expect(second).not.toBe(first);
  expect(await works(second)).toBe(true);
  expect(unusable).toEqual([]);
});

test('a workspace without activity for weeks still works: an unused refresh token stays valid', async () => {
  workspace.clock.advance(30 * 24 * HOUR);
  expect(await works(await tokenOf(instance()))).toBe(true);
});
