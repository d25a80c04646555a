import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { features } from '../../src/app/features.ts';
import { migrations } from '../../src/app/migrations.ts';
import { startWorkspace, type Workspace } from '../../src/emulators/slack/slack.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openPGlite } from '../../src/store/pglite/pglite.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/data-folder.ts';
import { findFreePort } from '../support/listening-port.ts';
import {
  data,
  invalid,
  json,
  type ScriptedService,
  startScriptedService,
} from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { WAIT_MS } from '../support/workspace.ts';
import { findTraces } from './traces.ts';

// Runs the app like `npm start`, with unique secrets (canaries). Then searches its output, metrics, messages,
// database and files for the secrets.

const CANARY = {
  botToken: 'xoxb-7001-7002-canaryBotToken7f3a',
  appToken: 'xapp-1-canaryAppToken7f3a',
  signingSecret: 'ca0a4e51696e67536563726574f3a1b2',
  serviceToken: 'canary-service-token-7f3a91',
  connectToken: 'canary-connect-token-7f3a92',
  responseUrl: 'canary-response-url-7f3a93',
  key: createHash('sha256').update('canary key').digest('base64'),
  content: 'Canary content seven f three a ninety four',
  lateContent: 'Canary content that the service refuses',
  email: 'canary-7f3a95@example.com',
  answer: 'canary-answer-of-the-service-7f3a96',
  metadata: 'canary-private-metadata-7f3a97',
  sourceBefore: 'canary-source-value-before-7f3a98',
  sourceAfter: 'canary-source-value-after-7f3a99',
};
/** Canaries that only their author sees in messages. */
const AUTHOR_TEXTS: (keyof typeof CANARY)[] = ['content', 'lateContent', 'email'];

let folder: string;
let workspace: Workspace;
let service: ScriptedService;
let bot: RunningCommand;
let metrics = '';
let messages = '';

beforeAll(async () => {
  folder = await createDataFolder();
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}/slack/events`;
  service = await startScriptedService();
  workspace = await startWorkspace({
    port: 0,
    waitMs: WAIT_MS,
    manifest: buildManifest(features, { requestUrl: url }),
    delivery: { kind: 'http', url },
    tokens: {
      bot: CANARY.botToken,
      app: CANARY.appToken,
      signingSecret: CANARY.signingSecret,
      clientId: '1.2',
      clientSecret: 'unused',
    },
  });
  const startApp = () =>
    startCommand('main.ts', {
      env: {
        DATA_DIR: folder,
        LOG_LEVEL: 'trace',
        PORT: String(port),
        HEALTH_PORT: '0',
        SLACK_BOT_TOKEN: CANARY.botToken,
        SLACK_SIGNING_SECRET: CANARY.signingSecret,
        SLACK_API_URL: workspace.apiUrl,
        SCHEDULING_API_URL: service.url,
        SCHEDULING_API_TOKEN: CANARY.serviceToken,
        ENCRYPTION_KEYS: `canary:${CANARY.key}`,
        MEMBERS_DEFAULT_ROLE: 'owner',
      },
    });
  bot = startApp();
  await bot.waitForOutput(/Upnext is ready/);
  await causeFailures(url);
  const [, healthPort] = await bot.waitForOutput(/metrics +port (\d+)/);
  metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
  // Ana's open forms aren't included, because they contain what she typed.
  messages = workspace.as('Ana').in('#harbour-coffee').messages().join('\n');
  bot.kill('SIGKILL');
  await bot.exit;
}, 120_000);

afterAll(async () => {
  await workspace.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Uses the app while the service and requests fail in many ways. */
async function causeFailures(url: string): Promise<void> {
  const ana = workspace.as('Ana').in('#harbour-coffee');
  await ana.type(`/schedule-post 1 Dec 9am on X: ${CANARY.content}`);
  await ana.sees(CANARY.content);
  await ana.press('Schedule');
  await vi.waitFor(() => expect(service.created()).toHaveLength(1), 10_000);
  service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: CANARY.answer }));
  await ana.type(`/schedule-post 2 Dec 9am on X: ${CANARY.lateContent}`);
  await ana.sees(CANARY.lateContent);
  await ana.press('Schedule');
  await vi.waitFor(() => expect(service.created()).toHaveLength(2), 10_000);
  service.on(
    'POST /posts',
    (_call, response) => void response.writeHead(500).end(`<h1>${CANARY.answer}</h1>`),
  );
  await ana.type(`/schedule-post 3 Dec 9am on X: ${CANARY.content}`);
  await ana.press('Schedule');
  await vi.waitFor(() => expect(service.created()).toHaveLength(3), 10_000);
  service.on('GET /posts', (_call, response) => void response.end(`{"data": "${CANARY.answer}`));
  await ana.type('/upnext posts');
  service.on('GET /templates', json(500, { detail: CANARY.answer }));
  await ana.type('/upnext templates');
  service.on('GET /logs', data(CANARY.answer));
  await ana.type('/upnext logs');
  await ana.type(`/invite-user ${CANARY.email} Ana`);
  await (await ana.modal('Invite to service')).close();
  await changeSource(ana);
  await connectService(ana);
  await sendStrangeRequests(url);
  await ana.type('/upnext help');
  await ana.sees('Common commands');
}

/** Changes a source. Only the open form may contain the old and the new value. */
async function changeSource(ana: ReturnType<Workspace['as']>): Promise<void> {
  const source = { Id: 's1', Name: 'Landing page', Source: { Source: CANARY.sourceBefore } };
  service.on('GET /sources', data([source]));
  service.on('PUT /s1', invalid({ loc: ['body', 'Source'], msg: CANARY.answer }));
  await ana.type('/upnext source Landing page');
  const form = await ana.modal('Update a source');
  await form.fill('Value', CANARY.sourceAfter);
  const { view } = await form.submit();
  await view?.submit();
  await vi.waitFor(() => expect(service.calls.some(({ method }) => method === 'PUT')).toBe(true), 10_000);
  await (await ana.modal('Update a source')).close();
}

async function connectService(ana: ReturnType<Workspace['as']>): Promise<void> {
  await ana.type('/upnext connect');
  await ana.press('Connect a service');
  const form = await ana.modal('Connect a service');
  await form.fill('Address of the service', 'https://nobody-here.invalid/');
  await form.fill('Token', CANARY.connectToken);
  await form.submit();
}

/** Sends signed requests that contain canaries and that the app can't handle. */
async function sendStrangeRequests(url: string): Promise<void> {
  const target = { url, signingSecret: CANARY.signingSecret };
  const secret = CANARY.content;
  const actor = { team: { id: workspace.team.id }, user: { id: 'U01ANAFERR' }, trigger_id: '1.2.3' };
  const view = {
    id: 'V1',
    callback_id: 'schedule-post',
    private_metadata: CANARY.metadata,
    state: { values: {} },
  };
  const response_url = `${new URL(workspace.apiUrl).origin}/response/${CANARY.responseUrl}`;
  const message = { ts: '1.1', text: secret };
  const requests = [
    { type: 'view_submission', ...actor, view },
    { type: 'view_submission', ...actor, view: { ...view, callback_id: 'gone', state: secret } },
    { type: 'block_actions', ...actor, response_url, actions: [{ action_id: 'gone', value: secret }] },
    { type: 'message_action', ...actor, callback_id: 'gone', response_url, message, channel: { id: 'C1' } },
    { type: secret, ...actor },
    {
      type: 'event_callback',
      team_id: actor.team.id,
      event_id: 'Ev1',
      event: { type: 'message', text: 7, user: secret },
    },
  ];
  for (const [index, payload] of requests.entries()) {
    // The triggers are invalid and some channels are missing, so that handlers fail.
    expect((await sendSigned(target, payload, index)).status).toBe(200);
  }
  await fetch(url, {
    method: 'POST',
    headers: { 'x-slack-signature': `v0=${CANARY.signingSecret}` },
    body: secret,
  });
}

test('the control test: the secrets were used, and requests failed as planned', () => {
  expect(service.calls.some(({ authorization }) => authorization?.includes(CANARY.serviceToken))).toBe(true);
  expect(JSON.stringify(service.calls)).toContain(CANARY.sourceAfter);
  expect(bot.readOutput()).toContain('"level":50');
  expect(messages).toContain(CANARY.content);
});

test.each(Object.entries(CANARY))('the secret %s is in no line of the output', (_name, canary) => {
  expect(findTraces(canary, bot.readOutput())).toEqual([]);
});

test.each(Object.entries(CANARY))('the secret %s is in no metric', (_name, canary) => {
  expect(metrics).toContain('upnext_service_calls_total');
  expect(findTraces(canary, metrics)).toEqual([]);
});

test.each(
  Object.entries(CANARY).filter(
    ([name]) => !AUTHOR_TEXTS.some((author) => author === name) && name !== 'answer',
  ),
)('the secret %s is in no message', (_name, canary) => {
  expect(findTraces(canary, messages)).toEqual([]);
});

test('no table of the database contains a secret, in any encoding', async () => {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const findings: string[] = [];
  let rows = 0;
  for (const { name } of tables) {
    const result = await sql<{
      row: string;
    }>`select to_jsonb(t)::text as row from ${sql.raw(name)} t`.execute(db);
    rows += result.rows.length;
    const text = result.rows.map(({ row }) => row).join('\n');
    for (const [secret, canary] of Object.entries(CANARY)) {
      if (findTraces(canary, text).length > 0) findings.push(`${secret} in ${name}`);
    }
  }
  const posts = await db.selectFrom('submission').selectAll().execute();
  await db.destroy();
  await close();
  expect(posts.length).toBeGreaterThanOrEqual(3);
  expect(rows).toBeGreaterThan(10);
  expect(findings).toEqual([]);
});

test('no file of the database contains a secret, not even in deleted rows or its write-ahead log', () => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(100);
  const findings = files.flatMap((entry) => {
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    return Object.entries(CANARY).flatMap(([secret, canary]) =>
      bytes.includes(canary) ? [`${secret} in ${entry.name}`] : [],
    );
  });
  expect(findings).toEqual([]);
});
