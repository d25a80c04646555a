import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { WAIT_MS } from 'slack-workspace-emulator/test-support/workspace';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { features } from '../../src/app/features.ts';
import { migrations } from '../../src/app/migrations.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { buildManifest } from '../../src/slack/manifest.ts';
import { openDatabase } from '../../src/store/database.ts';
import { stretchDeadlines } from '../support/busyness.ts';
import { type RunningCommand, startCommand } from '../support/command.ts';
import { createDataFolder } from '../support/database-folder.ts';
import { submitLine } from '../support/filled-form.ts';
import { findFreePort } from '../support/listening-port.ts';
import { openPGlite } from '../support/open-pglite.ts';
import {
  data,
  invalid,
  json,
  type ScriptedService,
  startScriptedService,
} from '../support/scripted-service.ts';
import { sendSigned } from '../support/send-signed.ts';
import { ask, askForForm, pressForForm } from '../support/steps.ts';
import { findTraces } from './traces.ts';

// Runs the app like `npm start`, with unique secrets (canaries). Then searches its output, metrics, messages,
// database and files for the secrets.

/** Where secrets could be after the app was used and killed. */
interface Traces {
  folder: string;
  /** The contents of the files in the folder, also deleted rows and the database's write-ahead log. */
  files: ReadonlyMap<string, string>;
  output: string;
  metrics: string;
  messages: string;
}

interface StartedApp {
  folder: string;
  workspace: Workspace;
  bot: RunningCommand;
  /** The app's address. */
  origin: string;
  /** Kills the app, and collects its traces. `messages`: what people have read. */
  end(messages: string): Promise<Traces>;
  close(): Promise<void>;
}

/** Starts a workspace, and the app with these settings. */
async function startApp(
  tokens: NonNullable<Parameters<typeof startWorkspace>[0]['tokens']>,
  { isForMany = false, env }: { isForMany?: boolean; env(origin: string): Record<string, string> },
): Promise<StartedApp> {
  const restoreDeadlines = stretchDeadlines();
  const folder = await createDataFolder();
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const url = `${origin}/slack/events`;
  const workspace = await startWorkspace({
    ...{ port: 0, waitMs: WAIT_MS, tokens, installed: !isForMany },
    manifest: buildManifest(features, { requestUrl: url, isForMany }),
    delivery: { kind: 'http', url },
  });
  const bot = startCommand('main.ts', {
    env: {
      ...{ DATA_DIR: folder, LOG_LEVEL: 'trace', PORT: String(port), HEALTH_PORT: '0' },
      ...{ SLACK_API_URL: workspace.apiUrl, SLACK_SIGNING_SECRET: tokens.signingSecret },
      ...env(origin),
    },
  });
  await bot.waitForOutput(/Upnext is ready/);
  return {
    ...{ folder, workspace, bot, origin },
    async end(messages) {
      const [, healthPort] = await bot.waitForOutput(/metrics +port (\d+)/);
      const metrics = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
      bot.kill('SIGKILL');
      await bot.exit;
      return { folder, files: readFiles(folder), output: bot.readOutput(), metrics, messages };
    },
    async close() {
      bot.kill('SIGKILL');
      await workspace.close();
      restoreDeadlines();
      rmSync(folder, { recursive: true });
    },
  };
}

function readFiles(folder: string): Traces['files'] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
  expect(paths.length).toBeGreaterThan(100);
  return new Map(paths.map((path) => [path, readFileSync(path, 'latin1')]));
}

/** Lists the files that contain a match. */
function findFiles({ files }: Traces, isMatch: (text: string) => boolean): string[] {
  return [...files].flatMap(([path, text]) => (isMatch(text) ? path : []));
}

describe('in one workspace, while the service and requests fail in many ways', () => {
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
  const AUTHOR_TEXTS = ['content', 'lateContent', 'email', 'answer'];
  let service: ScriptedService;
  let app: StartedApp;
  let workspace: Workspace;
  let traces: Traces;

  beforeAll(async () => {
    service = await startScriptedService();
    app = await startApp(
      {
        ...{ bot: CANARY.botToken, app: CANARY.appToken, signingSecret: CANARY.signingSecret },
        ...{ clientId: '1.2', clientSecret: 'unused' },
      },
      {
        env: () => ({
          ...{ SLACK_BOT_TOKEN: CANARY.botToken, SCHEDULING_API_URL: service.url },
          ...{ SCHEDULING_API_TOKEN: CANARY.serviceToken, ENCRYPTION_KEYS: `canary:${CANARY.key}` },
          MEMBERS_DEFAULT_ROLE: 'owner',
        }),
      },
    );
    ({ workspace } = app);
    await causeFailures(`${app.origin}/slack/events`);
    // Ana's open forms aren't included, because they contain what she typed.
    traces = await app.end(workspace.as('Ana').in('#harbour-coffee').messages().join('\n'));
  });
  afterAll(async () => {
    await app.close();
    await service.stop();
  });

  /** Uses the app while the service and requests fail in many ways. */
  async function causeFailures(url: string): Promise<void> {
    const ana = workspace.as('Ana').in('#harbour-coffee');
    // A form that shows errors stays open, and must not be taken for the next one.
    const submitAndClose = async (line: string) => (await submitLine(ana, line)).view?.close();
    await submitAndClose(`/schedule-post in 2 days at 9am on X: ${CANARY.content}`);
    await vi.waitFor(() => expect(service.created()).toHaveLength(1), WAIT_MS);
    service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: CANARY.answer }));
    await submitAndClose(`/schedule-post in 3 days at 9am on X: ${CANARY.lateContent}`);
    await vi.waitFor(() => expect(service.created()).toHaveLength(2), WAIT_MS);
    service.on(
      'POST /posts',
      (_call, response) => void response.writeHead(500).end(`<h1>${CANARY.answer}</h1>`),
    );
    await submitAndClose(`/schedule-post in 4 days at 9am on X: ${CANARY.content}`);
    await vi.waitFor(() => expect(service.created()).toHaveLength(3), WAIT_MS);
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
    await ask(ana, '/upnext help', 'Common commands');
  }

  /** Changes a source. Only the open form may contain the old and the new value. */
  async function changeSource(ana: ReturnType<Workspace['as']>): Promise<void> {
    const source = { Id: 's1', Name: 'Landing page', Source: { Source: CANARY.sourceBefore } };
    service.on('GET /sources', data([source]));
    service.on('PUT /s1', invalid({ loc: ['body', 'Source'], msg: CANARY.answer }));
    const form = await askForForm(ana, '/upnext source Landing page', 'Update a source');
    await form.fill('Value', CANARY.sourceAfter);
    const { view } = await form.submit();
    await view?.submit();
    await vi.waitFor(() => expect(service.calls.some(({ method }) => method === 'PUT')).toBe(true), WAIT_MS);
    await (await ana.modal('Update a source')).close();
  }

  async function connectService(ana: ReturnType<Workspace['as']>): Promise<void> {
    await ana.type('/upnext connect');
    const form = await pressForForm(ana, 'Connect a service', 'Connect a service');
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
    expect(service.calls.some(({ authorization }) => authorization?.includes(CANARY.serviceToken))).toBe(
      true,
    );
    for (const secret of [CANARY.content, CANARY.sourceAfter])
      expect(JSON.stringify(service.calls)).toContain(secret);
    expect(traces.output).toContain('"level":50');
    // The posts' receipts come only if the machine isn't busy.
    expect(traces.messages).toContain('Common commands');
    expect(traces.metrics).toContain('upnext_service_calls_total');
  });

  test.each(Object.entries(CANARY))(
    'the secret %s is in no line, metric, message or file',
    (name, canary) => {
      expect(findTraces(canary, traces.output)).toEqual([]);
      expect(findTraces(canary, traces.metrics)).toEqual([]);
      if (!AUTHOR_TEXTS.includes(name)) expect(findTraces(canary, traces.messages)).toEqual([]);
      expect(findFiles(traces, (text) => text.includes(canary))).toEqual([]);
    },
  );

  test('no table of the database contains a secret, in any encoding', async () => {
    const { dialect, close } = await openPGlite(join(traces.folder, 'database'));
    const db = await openDatabase<BotSchema>({ dialect, migrations });
    const { rows: tables } = await sql<{ name: string }>`
      select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(
      db,
    );
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
});

describe('in many workspaces, from the installation to the removal', () => {
  const CANARY = {
    clientSecret: 'canary0client0secret0of0the0app7f3a',
    signingSecret: 'ca0a4e51696e67536563726574f3a1b3',
    key: createHash('sha256').update('canary key of the installed').digest('base64'),
    code: 'canary-code-7f3a01',
    state: 'canary-state-7f3a02',
  };
  const CLIENT = '1234567890.9876543210';
  /** Slack's tokens of every kind, including refresh tokens. */
  const TOKEN = /xox[a-z][.-][\w.-]+/;
  let app: StartedApp;
  let traces: Traces;
  let botToken = '';

  beforeAll(async () => {
    app = await startApp(
      {
        ...{ bot: 'xoxb-not-in-use-1', app: 'xapp-not-in-use-1', signingSecret: CANARY.signingSecret },
        ...{ clientId: CLIENT, clientSecret: CANARY.clientSecret },
      },
      {
        isForMany: true,
        env: (origin) => ({
          ...{ PUBLIC_URL: origin, SLACK_CLIENT_ID: CLIENT, SLACK_CLIENT_SECRET: CANARY.clientSecret },
          ENCRYPTION_KEYS: `canary:${CANARY.key}`,
        }),
      },
    );
    traces = await app.end(await installAndUse());
  });
  afterAll(() => app.close());

  async function installAndUse(): Promise<string> {
    const { workspace, origin, bot } = app;
    const ana = workspace.as('Ana').in('#general');
    expect((await ana.install(`${origin}/slack/install`)).status).toBe(200);
    ({ botToken } = workspace.team);
    await ask(ana, '/upnext projects', 'isn’t connected to a scheduling service');
    await ask(ana, '/upnext roles', 'by installing Upnext');
    // Redirects with an invalid state, and with a valid state but an unknown code.
    await fetch(`${origin}/slack/oauth_redirect?code=${CANARY.code}&state=${CANARY.state}`);
    const installPage = await fetch(`${origin}/slack/install`, { redirect: 'manual' });
    const state = new URL(installPage.headers.get('location') ?? '').searchParams.get('state');
    const cookie = installPage.headers.get('set-cookie')?.split(';')[0] ?? '';
    const redirectResponse = await fetch(
      `${origin}/slack/oauth_redirect?code=${CANARY.code}&state=${state}`,
      { headers: { cookie } },
    );
    expect(redirectResponse.status).toBe(400);
    const messages = ana.messages().join('\n') + (await ana.inDirectMessage()).messages().join('\n');
    workspace.admin.revokeToken();
    await bot.waitForOutput(/app left the workspace/);
    return messages;
  }

  test('the control test: the app was installed and used', () => {
    expect(botToken).toMatch(TOKEN);
    expect(traces.messages).toContain('you’re its first Owner');
    expect(traces.output).toContain('could not exchange the OAuth code');
  });

  test.each(Object.entries(CANARY))(
    'the secret %s is in no log, metric, message or file',
    (_name, canary) => {
      for (const text of [traces.output, traces.metrics, traces.messages])
        expect(findTraces(canary, text)).toEqual([]);
      expect(findFiles(traces, (text) => findTraces(canary, text).length > 0)).toEqual([]);
    },
  );

  test('none of Slack’s tokens is in a log, metric, message or file, not even a refresh token', () => {
    for (const text of [traces.output, traces.metrics, traces.messages]) expect(text.match(TOKEN)).toBeNull();
    expect(findFiles(traces, (text) => TOKEN.test(text) || findTraces(botToken, text).length > 0)).toEqual(
      [],
    );
  });
});
