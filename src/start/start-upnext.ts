import { setTimeout as delay } from 'node:timers/promises';
import { createEncryption } from '../access/access.ts';
import { createApiClient } from '../api/client.ts';
import { createLinkProbe } from '../api/probe-link.ts';
import { createBot } from '../app/app.ts';
import { readDeliveryFigures } from '../app/delivery-figures.ts';
import { migrations } from '../app/migrations.ts';
import type { Settings } from '../config/config.ts';
import { MINUTE_MS } from '../durations.ts';
import { createClock } from '../engine/clock.ts';
import { MAX_CLOCK_SKEW_SECONDS, REQUEST_RESULTS, SLACK_OUTCOMES } from '../handlers/bolt/bolt.ts';
import type { BotSchema } from '../handlers/schema.ts';
import { createClockWatch } from '../observability/clock-watch.ts';
import { startHttpServer } from '../observability/http-server.ts';
import { createMetrics } from '../observability/metrics.ts';
import { createLog, registerSecrets } from '../observability/redact.ts';
import { RATES } from '../slack/rate-limits.ts';
import { SlackRefused } from '../slack/slack-errors.ts';
import { openDatabase } from '../store/database.ts';
import { checkEncryptionKeys } from '../submissions/fingerprint.ts';
import { findPublicUrl, readEncryptionKeys, startDatabase, startService, startSlack } from './parts.ts';
import { createPracticePolicy } from './practice.ts';
import { blameSetting, fail, type Running } from './run.ts';
import { listSecrets } from './secrets.ts';

/**
 * How long an instance that is stopped still accepts requests, while it says that it isn't ready. Proxies learn of it in
 * this time if they check every two seconds.
 */
const DRAIN_MS = 5_000;

/** How long an instance waits for the database at startup, so that it isn't restarted again and again. */
const DATABASE_WAIT_MS = 5 * MINUTE_MS;

/** Starts Upnext and prints its addresses. If a setting is wrong, rejects with a StartError that names it. */
export async function startUpnext(settings: Settings): Promise<Running> {
  registerSecrets(...listSecrets(settings));
  const metrics = createMetrics({ rates: RATES, requests: REQUEST_RESULTS, calls: SLACK_OUTCOMES });
  const log = createLog(settings.logLevel, undefined, metrics.countLogLine);
  const onMovedAside = (to: string) =>
    log.warn({ to }, 'data of an earlier version moved aside, starting without it');
  const [database, service, slack] = await Promise.all([
    startDatabase(settings, fail, onMovedAside),
    // With many workspaces each connects its own service.
    settings.slack.kind === 'oauth' ? undefined : startService(settings, fail, onMovedAside),
    startSlack(settings, onMovedAside),
  ]);
  if (service) {
    slack.offerSwitches?.(service.switches);
    slack.onClock(service.followClock);
  } else if (settings.service.kind === 'remote') {
    log.warn(
      {},
      'SCHEDULING_API_URL is ignored: with many workspaces each connects its own service with /upnext connect',
    );
  }
  if (hidesClients(settings))
    log.warn(
      {},
      'TRUSTED_PROXIES is not set: behind a proxy, all clients have its address and share the limits of one address',
    );
  const { dialect } = database;
  const startupWait = {
    timeoutMs: DATABASE_WAIT_MS,
    onWait: (err: Error) => log.warn({ err, forMs: DATABASE_WAIT_MS }, 'waiting for the database'),
  };
  const db = await blameSetting(
    database.setting,
    openDatabase<BotSchema>({ dialect, migrations, ...(!database.isAlone && { startupWait }) }),
  );
  const encryption = createEncryption(readEncryptionKeys(settings));
  // The keys of built-in systems are in the data folder.
  const keySetting = settings.encryptionKeys ? 'ENCRYPTION_KEYS' : 'DATA_DIR';
  await blameSetting(keySetting, checkEncryptionKeys({ db, encryption }));
  metrics.setSource(() => readDeliveryFigures(db));
  const onCall = metrics.countServiceCall;
  const api = service && createApiClient({ baseUrl: service.url, token: service.token, onCall });
  const clocks = createClockWatch(log, () => performance.now());
  const onMeasured = (aheadMs: number) => clocks.observe('database', aheadMs);
  const clock = createClock({ db, getOffsetMs: slack.getClockOffsetMs, onMeasured });
  const bot = createBot({
    slack: slack.connection,
    ...(api && { api }),
    // The practice service is the same at any port.
    serviceName: service?.practice ? 'practice' : service?.formerUrl,
    serviceAddressRules: settings.serviceAddressRules,
    onServiceCall: onCall,
    onSlackRequest: metrics.countSlackRequest,
    onSlackAnswer({ outcome, aheadMs }) {
      metrics.countSlackCall(outcome);
      if (aheadMs !== undefined) clocks.observe('slack', aheadMs);
    },
    onBucketFailure: metrics.countBucketFailure,
    onAuditEntries: metrics.updateAuditEntries,
    onRateLimited: metrics.countRateLimited,
    db,
    encryption,
    log,
    isEmulated: service?.practice ?? false,
    publicUrl: findPublicUrl(settings),
    probeLink: createLinkProbe(),
    bucket: settings.bucket,
    clock,
    sendsDigests: settings.sendsDigests,
    allowFileDeletion: settings.allowFileDeletion,
    ...(slack.page !== undefined && { owners: { kind: 'emulator' } }),
    membersDefaultRole: settings.membersDefaultRole,
    onFatal: fail,
  });
  await bot.start().catch(explainSlack);
  if (api && service?.practice && slack.page !== undefined && 'botToken' in slack.connection) {
    const { findApiClient: findApi } = bot.submissions.context;
    await createPracticePolicy(db, { address: api.address, findApi }, slack.connection).catch(
      (error: unknown) => log.warn({ err: error }, 'could not set the policy of a practice project'),
    );
  }
  slack.onClock(() => {
    bot.engine.handleClockChange();
    bot.heldPosts
      .handleClockChange()
      .catch((error: unknown) => log.warn({ err: error }, 'could not reschedule held posts'));
  });
  const { host, port, allowedHosts, trustedProxies } = settings;
  metrics.setInstance({ clocks, getClosedMs: bot.getSlackClosedMs });
  let isStopping = false;
  // With a clock that is more than this off, every request over HTTP is refused.
  const isClockUsable = () =>
    slack.connection.kind === 'socket' ||
    Math.abs(clocks.getAheadMs('slack') ?? 0) <= MAX_CLOCK_SKEW_SECONDS * 1000;
  const isReady = async () => !isStopping && isClockUsable() && (await bot.isReady());
  const health = { metrics, isReady };
  const http = await blameSetting(
    'PORT',
    startHttpServer({
      host,
      port,
      allowedHosts,
      trustedProxies,
      health: settings.health ? undefined : health,
      ...(bot.requestListener && { handleSlackRequest: bot.requestListener }),
      serveMedia: bot.serveMedia,
      serveWeb: bot.serveWeb,
      ...(settings.publicUrl !== undefined && { publicUrl: settings.publicUrl }),
    }),
  );
  // After PORT, so that a wrong HOST, which is the default of HEALTH_HOST, is blamed on PORT.
  const apart =
    settings.health &&
    (await blameSetting('HEALTH_PORT', startHttpServer({ ...settings.health, allowedHosts, health })));

  console.log(
    renderWelcome({
      page: slack.page,
      service: service?.practice ? service.url : undefined,
      install: bot.installUrl,
      port: (apart ?? http).port,
      hasMetrics: apart !== undefined || !bot.requestListener,
    }),
  );
  const isBehindProxy = bot.requestListener !== undefined || bot.serveMedia !== undefined;
  return {
    async close({ drains }) {
      isStopping = true;
      if (drains && isBehindProxy) {
        log.info({ forMs: DRAIN_MS }, 'stopping: not ready from now on, but still answering');
        http.drain();
        await delay(DRAIN_MS);
      }
      await Promise.all([http.close(), apart?.close()]);
      await bot.stop();
      await api?.close();
      await db.destroy();
      await Promise.all([database.close(), service?.close(), slack.close()]);
    },
  };
}

/** Upnext itself serves no TLS, so an https address belongs to a proxy. */
function hidesClients({ publicUrl, trustedProxies }: Settings): boolean {
  return publicUrl?.startsWith('https:') === true && trustedProxies.length === 0;
}

const TOKENS = { bot: 'SLACK_BOT_TOKEN', app: 'SLACK_APP_TOKEN' } as const;

/** Turns a failure into a StartError that names the refused token, or SLACK_API_URL if Slack can't be reached. */
function explainSlack(error: unknown): Promise<never> {
  const setting = error instanceof SlackRefused ? TOKENS[error.token] : 'SLACK_API_URL';
  return blameSetting(setting, Promise.reject(error));
}

function renderWelcome(at: {
  page: string | undefined;
  service: string | undefined;
  install: string | undefined;
  port: number;
  hasMetrics: boolean;
}): string {
  const lines = [
    'Upnext is ready.',
    at.page && `  Practice workspace  ${at.page}  (open it in your browser and type /schedule-post)`,
    at.service && `  Practice service    ${at.service}  (it stores posts and publishes nothing)`,
    at.install && `  Install it          ${at.install}`,
    at.hasMetrics
      ? `  Health and metrics  port ${at.port}`
      : `  Health              port ${at.port}  (HEALTH_PORT also serves metrics)`,
    'Ctrl+C stops it.',
  ];
  return lines.filter(Boolean).join('\n');
}
