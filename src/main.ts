import { createEncryption } from './access/encryption.ts';
import { createApiClient } from './api/client.ts';
import { createBot } from './app.ts';
import { readSettings } from './config.ts';
import { startHttpServer } from './observability/http-server.ts';
import { createLog } from './observability/log.ts';
import { createMetrics } from './observability/metrics.ts';
import { SlackRefused } from './slack/bolt/socket-connection.ts';
import { encryptionKeys, startDatabase, startService, startSlack } from './start/parts.ts';
import { fail, run } from './start/run.ts';
import { startedBy } from './start/start-error.ts';
import { openDatabase } from './store/database.ts';
import { migrations } from './store/migrations.ts';
import type { BotSchema } from './store/schema.ts';

async function start() {
  const settings = readSettings(process.env);
  const log = createLog(settings.logLevel);
  const metrics = createMetrics();
  const [database, service, slack] = await Promise.all([
    startDatabase(settings, fail),
    startService(settings, fail),
    startSlack(settings, fail),
  ]);
  const { dialect } = database;
  const db = await startedBy(database.setting, openDatabase<BotSchema>({ dialect, migrations }));
  const api = createApiClient({ baseUrl: service.url, token: service.token, onCall: metrics.serviceCall });
  const encryption = createEncryption(encryptionKeys(settings));
  const { practice } = service;
  const bot = createBot({ slack: slack.connection, api, db, encryption, log, practice, onFatal: fail });
  await bot.start().catch(explainSlack);
  const { host, port } = settings;
  const isReady = () => bot.isReady();
  const http = await startedBy(
    'PORT',
    startHttpServer({
      host,
      port,
      metrics,
      isReady,
      ...(bot.requestListener && { slack: bot.requestListener }),
    }),
  );

  console.log(
    welcome({ page: slack.page, service: service.practice ? service.url : undefined, port: http.port }),
  );
  return {
    async close() {
      await http.close();
      await bot.stop();
      await api.close();
      await db.destroy();
      await Promise.all([database.close(), service.close(), slack.close()]);
    },
  };
}

const TOKENS = { bot: 'SLACK_BOT_TOKEN', app: 'SLACK_APP_TOKEN' } as const;

/** What Slack refused is a token's fault; where it was not reached, none is to blame. */
function explainSlack(error: unknown): Promise<never> {
  const setting = error instanceof SlackRefused ? TOKENS[error.token] : 'SLACK_API_URL';
  return startedBy(setting, Promise.reject(error));
}

function welcome(at: { page: string | undefined; service: string | undefined; port: number }): string {
  const lines = [
    'Upnext is ready.',
    at.page && `  Practice workspace  ${at.page}  (open it in your browser and type /schedule-post)`,
    at.service && `  Practice service    ${at.service}  (it keeps posts, and publishes nothing)`,
    `  Health and metrics  port ${at.port}`,
    'Ctrl+C stops it.',
  ];
  return lines.filter(Boolean).join('\n');
}

await run(start);
