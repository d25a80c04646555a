import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { OperationId } from '../operations/all-operations.ts';
import { type Commit, type FaultPlan, type FaultRule, faultPlan } from './fault-plan.ts';
import { injectFault } from './inject-fault.ts';
import { LateWork } from './late-work.ts';

/**
 * A pseudo-random number from 0 to 1 for the n-th call of `name`. It depends on nothing else, such as other calls or
 * their order. (FNV-1a over the name, then the finalizer of MurmurHash3.)
 */
function drawRandom(seed: number, name: string, n: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const character of `${name} ${n}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

export interface FaultCounts {
  /** Calls of each operation since the service started, with or without a fault. */
  calls: Readonly<Partial<Record<OperationId, number>>>;
  /** How often each fault was applied: `{ 'cut first': 3, 'status 503 never': 1, 'garbage html': 2, slow: 5 }`. */
  faults: Readonly<Record<string, number>>;
}

const DEFAULT_SEED = 1;

/** Chooses the fault of each call. */
export class FaultDraw {
  #plan: FaultPlan = {};
  #left: { rule: FaultRule; times: number }[] = [];
  #drawn = new Map<string, number>();
  readonly #calls = new Map<OperationId, number>();
  readonly #faults = new Map<string, number>();

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** Replaces the plan and restarts its random numbers. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    this.#left = (plan.rules ?? []).map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
    this.#drawn = new Map();
  }

  /** The fault of the next call, if any. `operation` is undefined for unknown paths. */
  next(operation: OperationId | undefined): FaultRule | undefined {
    if (operation !== undefined) count(this.#calls, operation);
    if (this.#left.length === 0) return undefined;
    const name = operation ?? '';
    count(this.#drawn, name);
    const drawn = drawRandom(this.#plan.seed ?? DEFAULT_SEED, name, this.#drawn.get(name) ?? 0);
    let upTo = 0;
    const met = this.#left.find(({ rule, times }) => {
      if (times === 0 || !isAbout(rule, operation)) return false;
      upTo += rule.share ?? 1;
      return drawn < upTo;
    });
    if (met === undefined) return undefined;
    met.times -= 1;
    count(this.#faults, renderRule(met.rule));
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

function renderRule(rule: FaultRule): string {
  switch (rule.fault) {
    case 'cut':
    case 'hang':
      return `${rule.fault} ${renderCommit(rule.commit)}`;
    case 'status':
      return `status ${rule.status} ${renderCommit(rule.commit ?? 'never')}`;
    case 'garbage':
      return `garbage ${rule.garbage}`;
    default:
      return rule.fault;
  }
}

function renderCommit(commit: Commit): string {
  return typeof commit === 'string' ? commit : 'late';
}

function count<K>(counts: Map<K, number>, name: K): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The emulator's faults, for tests. */
export interface ServiceFaults {
  readonly plan: FaultPlan;
  /** Replaces the plan from the next call on. Calls that hang already keep hanging. */
  set(plan: FaultPlan): Promise<void>;
  /** Ends all faults. */
  clear(): Promise<void>;
  counts(): FaultCounts;
  /** Resolves when all late work is committed. */
  waitForAll(): Promise<void>;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Wraps the service's request handler and applies the plan's faults. `line` opens and closes the service's port.
 */
export class FaultInjector implements ServiceFaults {
  readonly #draw = new FaultDraw();
  readonly #lateWork: LateWork;
  readonly #held = new Set<ServerResponse>();
  readonly #fetch: Fetch;
  readonly #findOperation: (method: string, target: string) => OperationId | undefined;
  #line: { goDown(): Promise<void>; comeBack(): Promise<void> } | undefined;
  /** Plans are applied one after the other. */
  #changing = Promise.resolve();

  constructor(options: {
    fetch: Fetch;
    findOperation: (method: string, target: string) => OperationId | undefined;
    onFault: (error: unknown) => void;
  }) {
    this.#fetch = options.fetch;
    this.#findOperation = options.findOperation;
    this.#lateWork = new LateWork(options.onFault);
  }

  /** The port, which plans close and open. */
  guard(line: { goDown(): Promise<void>; comeBack(): Promise<void> }): void {
    this.#line = line;
  }

  readonly answer = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    const rule = this.#draw.next(this.#findOperation(incoming.method ?? '', incoming.url ?? ''));
    if (rule === undefined) return this.#fetch(request);
    this.#held.add(outgoing);
    outgoing.once('close', () => this.#held.delete(outgoing));
    return injectFault({ rule, request, outgoing, carryOut: this.#fetch, lateWork: this.#lateWork });
  };

  get plan(): FaultPlan {
    return this.#draw.plan;
  }

  async set(plan: FaultPlan): Promise<void> {
    // Parsed at run time, because plans may also come from scripts or over HTTP.
    const checked = faultPlan.parse(plan);
    const changed = this.#changing.then(async () => {
      this.#draw.set(checked);
      await (checked.down === true ? this.#line?.goDown() : this.#line?.comeBack());
    });
    this.#changing = changed.catch(() => undefined);
    await changed;
  }

  clear(): Promise<void> {
    return this.set({});
  }

  counts(): FaultCounts {
    return this.#draw.counts();
  }

  waitForAll(): Promise<void> {
    return this.#lateWork.waitForAll();
  }

  /** Cuts off the calls that still hang. */
  async close(): Promise<void> {
    for (const outgoing of this.#held) outgoing.destroy();
    await this.#lateWork.close();
  }
}
