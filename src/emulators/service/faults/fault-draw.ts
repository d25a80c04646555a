import type { OperationId } from '../operations/all-operations.ts';
import type { Commit, FaultPlan, FaultRule } from './fault-plan.ts';
import { luck } from './luck.ts';

export interface FaultCounts {
  /** Calls of each operation since the service started, faults or not. */
  calls: Readonly<Partial<Record<OperationId, number>>>;
  /** How often each fault was met: `{ 'cut first': 3, 'status 503 never': 1, 'garbage html': 2, slow: 5 }`. */
  faults: Readonly<Record<string, number>>;
}

const DEFAULT_SEED = 1;

/** Which fault each call meets. */
export class FaultDraw {
  #plan: FaultPlan = {};
  #left: { rule: FaultRule; times: number }[] = [];
  #drawn = new Map<string, number>();
  readonly #calls = new Map<OperationId, number>();
  readonly #faults = new Map<string, number>();

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** From now on, instead of what was planned before; the luck begins anew. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    this.#left = (plan.rules ?? []).map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
    this.#drawn = new Map();
  }

  /** For the next call: the fault that it meets, if any. `undefined`: a path that the service does not have. */
  next(operation: OperationId | undefined): FaultRule | undefined {
    if (operation !== undefined) count(this.#calls, operation);
    if (this.#left.length === 0) return undefined;
    const name = operation ?? '';
    count(this.#drawn, name);
    const drawn = luck(this.#plan.seed ?? DEFAULT_SEED, name, this.#drawn.get(name) ?? 0);
    let upTo = 0;
    const met = this.#left.find(({ rule, times }) => {
      if (times === 0 || !isAbout(rule, operation)) return false;
      upTo += rule.share ?? 1;
      return drawn < upTo;
    });
    if (met === undefined) return undefined;
    met.times -= 1;
    count(this.#faults, nameOf(met.rule));
    return met.rule;
  }

  counts(): FaultCounts {
    return { calls: Object.fromEntries(this.#calls), faults: Object.fromEntries(this.#faults) };
  }
}

function isAbout({ operation: about }: FaultRule, operation: OperationId | undefined): boolean {
  if (about === undefined) return true;
  if (operation === undefined) return false;
  return typeof about === 'string' ? about === operation : about.includes(operation);
}

function nameOf(rule: FaultRule): string {
  switch (rule.fault) {
    case 'cut':
    case 'hang':
      return `${rule.fault} ${commitName(rule.commit)}`;
    case 'status':
      return `status ${rule.status} ${commitName(rule.commit ?? 'never')}`;
    case 'garbage':
      return `garbage ${rule.garbage}`;
    default:
      return rule.fault;
  }
}

function commitName(commit: Commit): string {
  return typeof commit === 'string' ? commit : 'late';
}

function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
