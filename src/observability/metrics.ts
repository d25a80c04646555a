import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What came of a request to `POST /slack/events`. */
export type RequestAnswer = 'taken' | 'refused' | 'retried' | 'replayed' | 'unsure';

/** What is read from the database each time that somebody looks. */
interface Standing {
  submissions: Readonly<Record<string, number>>;
  /** Seconds. */
  submissionsBehind: number;
  digestsBehind: number;
  isHalted: boolean;
}

/** The figures at `/metrics`, in Prometheus' text format. OPERATING.md says what to do about each. */
export interface Metrics {
  /** A call to the scheduling service has ended. */
  serviceCall(call: { operation: string; outcome: string; ms: number }): void;
  slackRequest(answer: RequestAnswer): void;
  /** Audit entries that wait for the database, and those that were dropped just now. */
  auditEntries(entries: { waiting: number; dropped: number }): void;
  /** A request met a limit of one member or one tenant. */
  rateLimited(refused: { limit: string; scope: string }): void;
  /** A line went to the log. */
  logged(level: string): void;
  /** From now on how things stand is asked for. */
  follow(standing: () => Promise<Standing>): void;
  /** The text, and its content type. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** Seconds; the last bounds are the whole call's limit and what goes past it. */
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
    help: 'How long calls to the scheduling service took',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const requests = new Counter({
    name: 'upnext_slack_requests_total',
    help: 'Requests over HTTP: taken, refused, retried by Slack, replayed, or unsure because the database did not answer',
    labelNames: ['answer'],
    registers,
  });
  const lines = new Counter({
    name: 'upnext_log_lines_total',
    help: 'Lines in the log, by level',
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
    help: 'Requests that met a limit of one member or one tenant',
    labelNames: ['limit', 'scope'],
    registers,
  });
  const stand = standingGauges(registers);
  let standing: (() => Promise<Standing>) | undefined;
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
    logged: (level) => lines.inc({ level }),
    follow(read) {
      standing = read;
    },
    async read() {
      if (standing) stand(await standing().catch(() => undefined));
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function standingGauges(registers: Registry[]): (now: Standing | undefined) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const up = gauge('upnext_database_up', '1 where the database answers');
  const open = gauge('upnext_submissions', 'What people submitted and is not done, by state', ['state']);
  const submissions = gauge(
    'upnext_submissions_behind_seconds',
    'By how much what goes on by itself is behind',
  );
  const digests = gauge('upnext_digests_behind_seconds', 'By how much digests are behind');
  const halted = gauge('upnext_sending_stopped', '1 while somebody has stopped all sending');
  return (now) => {
    up.set(now ? 1 : 0);
    if (!now) return;
    for (const [state, count] of Object.entries(now.submissions)) open.set({ state }, count);
    submissions.set(now.submissionsBehind);
    digests.set(now.digestsBehind);
    halted.set(now.isHalted ? 1 : 0);
  };
}
