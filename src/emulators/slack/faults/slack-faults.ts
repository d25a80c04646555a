import type { Parcel } from '../deliver/delivery.ts';
import { recordIn, stringIn } from '../json.ts';
import { Draw } from './draw.ts';
import type { DeliveryRule, SlackFaultPlan, WebApiRule } from './slack-fault-plan.ts';

interface SlackFaultCounts {
  /** Calls of each Web API method since the workspace started, faults or not. */
  calls: Readonly<Record<string, number>>;
  /** How often each fault was met: `{ 'cut first': 2, 'error is_archived': 1, duplicate: 3, 'rate-limited': 1 }`. */
  faults: Readonly<Record<string, number>>;
}

/** Where a rule that names no method of its own applies. */
const TRIGGERED = ['views.open', 'views.push'];

/** The practice Slack's faults, for a test. */
export class SlackFaults {
  #plan: SlackFaultPlan = {};
  #webApi = new Draw<WebApiRule>();
  #deliveries = new Draw<DeliveryRule>();
  readonly #calls = new Map<string, number>();
  readonly #faults = new Map<string, number>();

  get plan(): SlackFaultPlan {
    return this.#plan;
  }

  /** From the next call on, instead of what was planned before. What hangs already goes on hanging. */
  set(plan: SlackFaultPlan): void {
    this.#plan = plan;
    this.#webApi = new Draw(plan.webApi, plan.seed);
    this.#deliveries = new Draw(plan.deliveries, plan.seed);
  }

  /** As usual again. */
  clear(): void {
    this.set({});
  }

  /** As usual again, with all counts at zero. */
  reset(): void {
    this.clear();
    this.#calls.clear();
    this.#faults.clear();
  }

  counts(): SlackFaultCounts {
    return { calls: Object.fromEntries(this.#calls), faults: Object.fromEntries(this.#faults) };
  }

  /** What the next call of this method meets. `isChannel` tells whether it is about the channel that a rule names. */
  forCall(method: string, isChannel: (named: string) => boolean): WebApiRule | undefined {
    count(this.#calls, method);
    const met = this.#webApi.next(method, (rule) => {
      const methods = rule.method ?? (rule.fault === 'expired-trigger' ? TRIGGERED : undefined);
      return includes(methods, [method]) && (rule.channel === undefined || isChannel(rule.channel));
    });
    if (met) count(this.#faults, nameOf(met));
    return met;
  }

  /** What the next thing that goes to the app meets. */
  forParcel({ type, payload }: Parcel): DeliveryRule | undefined {
    const event = recordIn(payload, 'event');
    const kind = (event ? stringIn(event, 'type') : stringIn(payload, 'type')) ?? type;
    const met = this.#deliveries.next(kind, (rule) => includes(rule.kind, [type, kind]));
    if (met) count(this.#faults, met.fault);
    return met;
  }
}

function includes(named: string | readonly string[] | undefined, names: readonly string[]): boolean {
  if (named === undefined) return true;
  return typeof named === 'string' ? names.includes(named) : named.some((one) => names.includes(one));
}

function nameOf(rule: WebApiRule): string {
  switch (rule.fault) {
    case 'cut':
    case 'hang':
      return `${rule.fault} ${rule.commit}`;
    case 'status':
      return `status ${rule.status} ${rule.commit ?? 'never'}`;
    case 'error':
      return `error ${rule.error}`;
    default:
      return rule.fault;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
