import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** How a request to `POST /slack/events` was handled. */
export type RequestAnswer = 'taken' | 'refused' | 'retried' | 'replayed' | 'unsure';

/** The figures that each scrape reads from the database. */
interface DeliveryFigures {
  /** By state. */
  submissions: Readonly<Record<string, number>>;
  submissionsBehindSeconds: number;
  digestsBehindSeconds: number;
  isHalted: boolean;
}

/** The metrics at `/metrics`, in Prometheus' text format. OPERATING.md says what to do about each. */
export interface Metrics {
  /** Counts a finished call to the scheduling service. */
  serviceCall(call: { operation: string; outcome: string; ms: number }): void;
  slackRequest(answer: RequestAnswer): void;
  /** `waiting`: entries that wait for the database now. `dropped`: entries dropped since the last call. */
  auditEntries(entries: { waiting: number; dropped: number }): void;
  /** Counts a request that exceeded a rate limit of one member or one workspace. */
  rateLimited(refused: { limit: string; scope: string }): void;
  /** Counts a line of the log. */
  countLogLine(level: string): void;
  /** Sets the source of the figures from the database. */
  readFrom(figures: () => Promise<DeliveryFigures>): void;
  read(): Promise<{ contentType: string; text: string }>;
}

/** Seconds. The last two bounds are the time limit of a call and a margin. */
const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15];

export function createMetrics(): Metrics {
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
    buckets: CALL_BUCKETS,
    registers,
  });
  const requests = new Counter({
    name: 'upnext_slack_requests_total',
    help: 'Slack requests over HTTP: taken, refused, retried by Slack, replayed, or unsure because the database did not answer',
    labelNames: ['answer'],
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
  const setGauges = createDeliveryGauges(registers);
  let figures: (() => Promise<DeliveryFigures>) | undefined;
  return {
    serviceCall({ operation, outcome, ms }) {
      calls.inc({ operation, outcome });
      seconds.observe({ operation }, ms / 1000);
    },
    auditEntries({ waiting, dropped }) {
      auditWaiting.set(waiting);
      auditDropped.inc(dropped);
    },
    rateLimited: ({ limit, scope }) => limited.inc({ limit, scope }),
    slackRequest: (answer) => requests.inc({ answer }),
    countLogLine: (level) => lines.inc({ level }),
    readFrom(source) {
      figures = source;
    },
    async read() {
      if (figures) setGauges(await figures().catch(() => undefined));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Returns a function that sets the gauges; undefined means that the database didn't answer. */
function createDeliveryGauges(registers: Registry[]): (figures: DeliveryFigures | undefined) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const up = gauge('upnext_database_up', '1 if the database answers, 0 if not');
  const open = gauge('upnext_submissions', 'Unfinished submissions, by state', ['state']);
  const submissions = gauge(
    'upnext_submissions_behind_seconds',
    'How long the oldest due submission has been waiting',
  );
  const digests = gauge('upnext_digests_behind_seconds', 'How long the oldest due digest has been waiting');
  const halted = gauge('upnext_sending_stopped', '1 while all sending is stopped');
  return (figures) => {
    up.set(figures ? 1 : 0);
    if (!figures) return;
    for (const [state, count] of Object.entries(figures.submissions)) open.set({ state }, count);
    submissions.set(figures.submissionsBehindSeconds);
    digests.set(figures.digestsBehindSeconds);
    halted.set(figures.isHalted ? 1 : 0);
  };
}
