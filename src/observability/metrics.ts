import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** The figures at `/metrics`, in Prometheus' text format. */
export interface Metrics {
  /** A call to the scheduling service has ended. */
  serviceCall(call: { operation: string; outcome: string; ms: number }): void;
  /** The text, and its content type. */
  read(): Promise<{ contentType: string; text: string }>;
}

/** Seconds; the last bounds are the whole call's limit and what goes past it. */
const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'upnext_service_calls_total',
    help: 'Calls to the scheduling service, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'upnext_service_call_seconds',
    help: 'How long calls to the scheduling service took',
    labelNames: ['operation'],
    buckets: CALL_BUCKETS,
    registers: [registry],
  });
  return {
    serviceCall({ operation, outcome, ms }) {
      calls.inc({ operation, outcome });
      seconds.observe({ operation }, ms / 1000);
    },
    read: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}
