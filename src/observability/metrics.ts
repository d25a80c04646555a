import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CLOCKS, type ClockWatch } from './clock-watch.ts';

/** The figures that are read from the database for each scrape. Numbers of rows are counted up to a maximum. */
export interface DeliveryFigures {
  /** The number of submissions in each active state, including states with 0. */
  submissions: Readonly<Record<string, number>>;
  /** For each kind of delivery, how long its oldest due row has been waiting; 0 if none is due. */
  behindSeconds: Readonly<Record<string, number>>;
  isSendingStopped: boolean;
  /** The number of held posts in each state that isn't final. */
  heldPosts: Readonly<Record<string, number>>;
  /** How long Upnext may stay down before a held post is missed; Infinity if none is held. */
  secondsUntilMissed: number;
}

/** What an instance knows of itself. */
interface InstanceSource {
  /** How long there has been no connection to Slack, ms. Absent without Socket Mode. */
  getClosedMs?: (() => number) | undefined;
  clocks: Pick<ClockWatch, 'getAheadMs'>;
}

/** The metrics at `/metrics`, in Prometheus' text format. OPERATING.md explains how to react to each. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Upper bounds of the histogram. The largest one is the time limit of a call. */
const CALL_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15];

/** The values of labels whose counters begin with 0. Default to none. */
interface Labels {
  /** The rate limits by kind and scope. */
  rates: Readonly<Record<string, object>>;
  /** What may become of requests of Slack, and of calls of its Web API. */
  requests: readonly string[];
  calls: readonly string[];
}

export function createMetrics({ rates = {}, requests: results = [], calls: outcomes = [] }: Partial<Labels>) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'upnext_service_calls_total',
    help: 'Calls to the scheduling service, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'upnext_service_call_seconds',
    help: 'Duration of calls to the scheduling service',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS_SECONDS,
    registers,
  });
  const requests = new Counter({
    name: 'upnext_slack_requests_total',
    help: 'Requests of Slack: taken, or refused because of their signature or, with a right one, their time',
    labelNames: ['answer'],
    registers,
  });
  const slackCalls = new Counter({
    name: 'upnext_slack_calls_total',
    help: 'Calls of Slack’s Web API, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const bucketFailures = new Counter({
    name: 'upnext_bucket_failures_total',
    help: 'Calls of the bucket that have failed',
    registers,
  });
  const slackDisconnected = new Gauge({
    name: 'upnext_slack_disconnected_seconds',
    help: 'Socket Mode: how long there has been no connection to Slack; 0 while there is one',
    // Without a value in other modes.
    labelNames: ['mode'],
    registers,
  });
  const clockAhead = new Gauge({
    name: 'upnext_clock_ahead_seconds',
    help: 'How far the clock of this machine is ahead of another one',
    labelNames: ['of'],
    registers,
  });
  const lines = new Counter({
    name: 'upnext_log_lines_total',
    help: 'Log lines, by level',
    labelNames: ['level'],
    registers,
  });
  const auditWaiting = new Gauge({
    name: 'upnext_audit_entries_waiting',
    help: 'Audit entries that wait in memory for the database',
    registers,
  });
  const auditDropped = new Counter({
    name: 'upnext_audit_entries_dropped_total',
    help: 'Audit entries that were dropped because too many waited',
    registers,
  });
  const limited = new Counter({
    name: 'upnext_rate_limited_total',
    help: 'Requests that exceeded a rate limit of one member or one workspace',
    labelNames: ['limit', 'scope'],
    registers,
  });
  // Counters that alerts watch begin with 0: Prometheus sees no increase in the first sample of a series.
  for (const answer of results) requests.inc({ answer }, 0);
  for (const outcome of outcomes) slackCalls.inc({ outcome }, 0);
  for (const level of ['info', 'warn', 'error']) lines.inc({ level }, 0);
  for (const [limit, scopes] of Object.entries(rates))
    for (const scope of Object.keys(scopes)) limited.inc({ limit, scope }, 0);
  const setGauges = createDeliveryGauges(registers);
  let readFigures: (() => Promise<DeliveryFigures>) | undefined;
  let instance: InstanceSource | undefined;
  return {
    countServiceCall({ operation, outcome, ms }: { operation: string; outcome: string; ms: number }) {
      calls.inc({ operation, outcome });
      seconds.observe({ operation }, ms / 1000);
    },
    /** `waiting`: entries that wait for the database now. `dropped`: entries dropped since the last call. */
    updateAuditEntries({ waiting, dropped }: { waiting: number; dropped: number }) {
      auditWaiting.set(waiting);
      auditDropped.inc(dropped);
    },
    /** Counts a request that exceeded a rate limit of one member or one workspace. */
    countRateLimited: ({ limit, scope }: { limit: string; scope: string }) => limited.inc({ limit, scope }),
    countSlackRequest: (result: string) => requests.inc({ answer: result }),
    countSlackCall: (outcome: string) => slackCalls.inc({ outcome }),
    countBucketFailure: () => bucketFailures.inc(),
    countLogLine: (level: string) => lines.inc({ level }),
    setSource(source: () => Promise<DeliveryFigures>) {
      readFigures = source;
    },
    setInstance(source: InstanceSource) {
      instance = source;
    },
    async read(): Promise<{ contentType: string; text: string }> {
      if (instance?.getClosedMs) slackDisconnected.set({ mode: 'socket' }, instance.getClosedMs() / 1000);
      for (const of of CLOCKS) {
        const aheadMs = instance?.clocks.getAheadMs(of);
        if (aheadMs !== undefined) clockAhead.set({ of }, aheadMs / 1000);
      }
      if (readFigures) setGauges(await readFigures().catch(() => undefined));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Returns a function that sets the gauges. Undefined figures mean that the database didn't respond. */
function createDeliveryGauges(registers: Registry[]): (figures: DeliveryFigures | undefined) => void {
  const createGauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const databaseUp = createGauge('upnext_database_up', '1 if the database answers, 0 if not');
  const unfinished = createGauge('upnext_submissions', 'Unfinished submissions, by state', ['state']);
  const behind = createGauge(
    'upnext_deliveries_behind_seconds',
    'How long the oldest due delivery has been waiting, by kind',
    ['kind'],
  );
  const sendingStopped = createGauge('upnext_sending_stopped', '1 while all sending is stopped');
  const held = createGauge('upnext_held_posts', 'Held posts that are not delivered yet, by state', ['state']);
  const untilMissed = createGauge(
    'upnext_held_posts_seconds_until_missed',
    'How long Upnext may stay down before a held post is missed',
  );
  // Seconds on the monotonic clock. Counts on while the database is down, because that is when it matters.
  let missedAt = Number.NaN;
  return (figures) => {
    const now = performance.now() / 1000;
    if (figures) missedAt = now + figures.secondsUntilMissed;
    untilMissed.set(Math.max(0, figures?.secondsUntilMissed ?? missedAt - now));
    databaseUp.set(figures ? 1 : 0);
    if (!figures) return;
    for (const [state, count] of Object.entries(figures.submissions)) unfinished.set({ state }, count);
    for (const [kind, seconds] of Object.entries(figures.behindSeconds)) behind.set({ kind }, seconds);
    sendingStopped.set(figures.isSendingStopped ? 1 : 0);
    for (const [state, count] of Object.entries(figures.heldPosts)) held.set({ state }, count);
  };
}
