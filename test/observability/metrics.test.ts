import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { readDeliveryFigures } from '../../src/app/delivery-figures.ts';
import { stopSending } from '../../src/engine/sending-stop.ts';
import type { BotSchema } from '../../src/handlers/schema.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createLog } from '../../src/observability/redact.ts';
import { recordStatements } from '../support/sent-statements.ts';
import { setUpBotDatabase } from '../support/set-up-database.ts';

const NOW = new Date();

/**
 * Expects a figure in seconds that was `atNow` at NOW and has changed by `perSecond` each second since, because it counts
 * to the moment of the scrape.
 */
function expectSeconds(
  metrics: string,
  name: string,
  { atNow, perSecond }: Record<'atNow' | 'perSecond', number>,
) {
  const line = metrics.split('\n').find((text) => text.startsWith(`${name} `));
  const seconds = Number(line?.split(' ')[1]);
  const latest = atNow + (perSecond * (Date.now() - NOW.getTime())) / 1000;
  expect(seconds, name).toBeGreaterThanOrEqual(Math.min(atNow, latest) - 1);
  expect(seconds, name).toBeLessThanOrEqual(Math.max(atNow, latest) + 1);
}

const database = await setUpBotDatabase();

async function readMetrics() {
  const metrics = createMetrics({});
  metrics.setSource(() => readDeliveryFigures(recordStatements(database.db)));
  const { text } = await metrics.read();
  return text;
}

test('submissions are counted by state, and the delay of each kind of delivery is reported', async () => {
  const { db } = database;
  const metricsBefore = await readMetrics();
  expect(metricsBefore).toContain('upnext_database_up 1');
  expect(metricsBefore).toContain('upnext_submissions{state="unsure"} 0');
  expect(metricsBefore).toContain('upnext_sending_stopped 0');
  const row = { workspace: 'T1', author: 'U1', kind: 'post', item: 0, revision: 0, content: null };
  const timestamps = { created_at: NOW, changed_at: NOW };
  const dueAt = new Date(NOW.getTime() - 90_000);
  await db
    .insertInto('submission')
    .values([
      { ...row, ...timestamps, id: 'a', origin: 'a', state: 'unsure' },
      { ...row, ...timestamps, id: 'b', origin: 'b', state: 'retryable', next_at: dueAt },
    ])
    .execute();
  await db
    .insertInto('publication')
    .values({
      id: 'p',
      workspace: 'T1',
      author: 'U1',
      state: 'checking',
      changed_at: NOW,
      next_at: new Date(NOW.getTime() - 30_000),
    })
    .execute();
  await stopSending(db, { reason: '', since: NOW });
  const metricsAfter = await readMetrics();
  expect(metricsAfter).toContain('upnext_submissions{state="unsure"} 1');
  expect(metricsAfter).toContain('upnext_submissions{state="retryable"} 1');
  const behind = (kind: string) => `upnext_deliveries_behind_seconds{kind="${kind}"}`;
  expectSeconds(metricsAfter, behind('submissions'), { atNow: 90, perSecond: 1 });
  expectSeconds(metricsAfter, behind('digests'), { atNow: 0, perSecond: 0 });
  expectSeconds(metricsAfter, behind('publications'), { atNow: 30, perSecond: 1 });
  expect(metricsAfter).toContain('upnext_sending_stopped 1');
});

test('digests count as late even if no instance sends digests', async () => {
  const settings = { workspace: 'T1', channel: 'C1', kind: 'daily', days: '5', minute: 719, zone: 'UTC' };
  const timestamps = { created_at: NOW, changed_at: NOW };
  await database.db
    .insertInto('digest')
    .values({
      ...{
        ...settings,
        ...timestamps,
        id: 'd',
        sections: '[]',
        silent_when_empty: false,
        owner: 'U1',
        state: 'on',
      },
      ...{ next_at: new Date(NOW.getTime() - 60_000), next_date: '2026-11-20' },
    })
    .execute();
  const name = 'upnext_deliveries_behind_seconds{kind="digests"}';
  expectSeconds(await readMetrics(), name, { atNow: 60, perSecond: 1 });
});

test('a scrape sends at most seven statements', async () => {
  let statementCount = 0;
  const countingDb: Kysely<BotSchema> = database.db.withPlugin({
    transformQuery({ node }) {
      statementCount += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await readDeliveryFigures(countingDb);
  expect(statementCount).toBeLessThanOrEqual(7);
});

test('of a state with many submissions, 5,000 are counted', async () => {
  const { db } = database;
  await sql`insert into submission (id, workspace, author, kind, origin, item, revision, state, created_at, changed_at)
    select 'many-' || i, 'T1', 'U1', 'post', 'many-' || i, 0, 0, 'unknown', now(), now()
    from generate_series(1, 5001) as i`.execute(db);
  expect(await readMetrics()).toContain('upnext_submissions{state="unknown"} 5000');
  await sql`delete from submission where id like 'many-%'`.execute(db);
});

test('held posts are counted by state, and the time until the first would be missed is reported', async () => {
  const { db } = database;
  expect(await readMetrics()).toContain('upnext_held_posts_seconds_until_missed +Inf');
  const row = {
    ...{ workspace: 'T1', endpoint: '', author: 'U1', project: 'p1', item: 0, version: 1 },
    ...{ content: null, content_hash: '', created_at: NOW, changed_at: NOW },
  };
  const inAnHour = new Date(NOW.getTime() + 3_600_000);
  await db
    .insertInto('held_post')
    .values([
      { ...row, id: 'a', origin: 'a', state: 'held', publish_at: inAnHour },
      { ...row, id: 'b', origin: 'b', state: 'cancelled', publish_at: NOW },
      { ...row, id: 'c', origin: 'c', state: 'needs-person', publish_at: NOW },
    ])
    .execute();
  const metrics = await readMetrics();
  expectSeconds(metrics, 'upnext_held_posts_seconds_until_missed', { atNow: 3600, perSecond: -1 });
  expect(metrics).toContain('upnext_held_posts{state="held"} 1');
  expect(metrics).toContain('upnext_held_posts{state="needs-person"} 1');
  expect(metrics).toContain('upnext_held_posts{state="draft"} 0');
});

test('while the database is down, the metric upnext_database_up is 0, and other metrics are still served', async () => {
  const metrics = createMetrics({});
  metrics.setSource(() => Promise.reject(new Error('the database is down')));
  metrics.countSlackRequest('refused');
  const { text } = await metrics.read();
  expect(text).toContain('upnext_database_up 0');
  expect(text).toContain('upnext_slack_requests_total{answer="refused"} 1');
});

test('while the database is down, the time until the first held post would be missed goes on', async () => {
  const metrics = createMetrics({});
  const figures = { submissions: {}, behindSeconds: {}, isSendingStopped: false, heldPosts: {} };
  metrics.setSource(async () => ({ ...figures, secondsUntilMissed: 3600 }));
  const readSeconds = async () =>
    Number(/^upnext_held_posts_seconds_until_missed (\S+)$/m.exec((await metrics.read()).text)?.[1]);
  expect(await readSeconds()).toBe(3600);
  metrics.setSource(() => Promise.reject(new Error('the database is down')));
  const first = await readSeconds();
  expect(first).toBeLessThan(3600);
  expect(await readSeconds()).toBeLessThan(first);
  metrics.setSource(async () => ({ ...figures, secondsUntilMissed: 0 }));
  await readSeconds();
  metrics.setSource(() => Promise.reject(new Error('the database is down')));
  expect(await readSeconds()).toBe(0);
});

test('waiting and dropped audit entries are counted', async () => {
  const metrics = createMetrics({});
  metrics.updateAuditEntries({ waiting: 7, dropped: 2 });
  metrics.updateAuditEntries({ waiting: 5, dropped: 1 });
  const { text } = await metrics.read();
  expect(text).toContain('upnext_audit_entries_waiting 5');
  expect(text).toContain('upnext_audit_entries_dropped_total 3');
});

test('log lines are counted by level', async () => {
  const metrics = createMetrics({});
  const log = createLog('info', { write: () => undefined }, metrics.countLogLine);
  log.error({}, 'it failed');
  log.debug({}, 'a line below the log level');
  const { text } = await metrics.read();
  expect(text).toContain('upnext_log_lines_total{level="error"} 1');
  expect(text).not.toContain('debug');
});

test('OPERATING.md explains each metric', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../OPERATING.md'), 'utf8');
  const names = [...(await readMetrics()).matchAll(/^# HELP (upnext_\w+)/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(7);
  expect(names.filter((name) => !page.includes(name))).toEqual([]);
});

test('what an instance knows of itself is reported: its connection to Slack, and how far its clock is ahead', async () => {
  const metrics = createMetrics({ calls: ['refused-token'], requests: ['wrong-time'] });
  metrics.setInstance({
    getClosedMs: () => 75_000,
    clocks: { getAheadMs: (other) => (other === 'database' ? -300_000 : undefined) },
  });
  metrics.countSlackCall('refused-token');
  metrics.countBucketFailure();
  const { text } = await metrics.read();
  expect(text).toContain('upnext_slack_disconnected_seconds{mode="socket"} 75\n');
  expect(text).toContain('upnext_clock_ahead_seconds{of="database"} -300\n');
  expect(text).not.toContain('{of="slack"}');
  expect(text).toContain('upnext_slack_calls_total{outcome="refused-token"} 1\n');
  expect(text).toContain('upnext_slack_requests_total{answer="wrong-time"} 0\n');
  expect(text).toContain('upnext_bucket_failures_total 1\n');
});

test('without Socket Mode, there is no connection that could be missing', async () => {
  const metrics = createMetrics({});
  metrics.setInstance({ clocks: { getAheadMs: () => 0 } });
  expect((await metrics.read()).text).not.toContain('upnext_slack_disconnected_seconds{');
});
