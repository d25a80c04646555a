import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startWorkspace, type Workspace } from 'slack-workspace-emulator';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
import { data, later, type ScriptedService, startScriptedService } from '../support/scripted-service.ts';
import { COMMAND, sendSigned } from '../support/send-signed.ts';

let folder: string;
let url: string;
let workspace: Workspace;
let service: ScriptedService;
let bot: RunningCommand;
let restoreDeadlines: () => void;

beforeEach(async () => {
  restoreDeadlines = stretchDeadlines();
  folder = await createDataFolder();
  const port = await findFreePort();
  url = `http://127.0.0.1:${port}/slack/events`;
  service = await startScriptedService();
  const manifest = buildManifest(features, { requestUrl: url });
  workspace = await startWorkspace({ port: 0, manifest, delivery: { kind: 'http', url }, waitMs: 120_000 });
  bot = startCommand('main.ts', {
    env: {
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      PORT: String(port),
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_SIGNING_SECRET: workspace.signingSecret,
      SLACK_API_URL: workspace.apiUrl,
      SCHEDULING_API_URL: service.url,
      SCHEDULING_API_TOKEN: 'a-service-token',
      ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 3).toString('base64')}`,
      MEMBERS_DEFAULT_ROLE: 'owner',
    },
  });
  await bot.waitForOutput(/Upnext is ready/);
});
afterEach(async () => {
  bot.kill('SIGKILL');
  await bot.exit;
  await workspace.close();
  restoreDeadlines();
  await service.stop();
  rmSync(folder, { recursive: true });
});

async function readSubmissions() {
  const { dialect, close } = await openPGlite(join(folder, 'database'));
  const db = await openDatabase<BotSchema>({ dialect, migrations });
  const submissions = await db.selectFrom('submission').selectAll().execute();
  await db.destroy();
  await close();
  return submissions;
}

test('before the app stops, it answers open requests, finishes sending, and releases all leases', async () => {
  service.on('POST /posts', later(1_500, data({ Id: 'made' })));
  service.on('GET /templates', later(1_000, data([])));
  const ana = workspace.as('Ana').in('#harbour-coffee');
  await submitLine(ana, '/schedule-post tomorrow 9am on X: We open at nine');
  await expect.poll(() => service.created()).toHaveLength(1);
  const openRequest = sendSigned(
    { url, signingSecret: workspace.signingSecret },
    {
      ...{ ...COMMAND, text: 'templates', team_id: workspace.team.id },
      response_url: `${new URL(workspace.apiUrl).origin}/response/nowhere`,
    },
    1,
  );
  await expect.poll(() => service.calls.some(({ path }) => path.endsWith('/templates'))).toBe(true);
  bot.kill('SIGTERM');
  // Whoever has sent a request before they hear of the stop is answered.
  const ready = () => fetch(new URL('/health/ready', url));
  await expect.poll(async () => (await ready()).status).toBe(503);
  expect((await ready()).headers.get('connection')).toBe('close');
  const lateRequest = await sendSigned(
    { url, signingSecret: workspace.signingSecret },
    { ...COMMAND, text: 'help', team_id: workspace.team.id },
    2,
  );
  expect(lateRequest.status).toBe(200);
  expect((await openRequest).status).toBe(200);
  expect(await bot.exit).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
  expect(await readSubmissions()).toEqual([
    expect.objectContaining({ state: 'confirmed', lease_until: null }),
  ]);
});
