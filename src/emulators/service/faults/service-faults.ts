import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { OperationId } from '../operations/all-operations.ts';
import { type FaultCounts, FaultDraw } from './fault-draw.ts';
import { type FaultPlan, faultPlan } from './fault-plan.ts';
import { injectFault } from './inject-fault.ts';
import { LateWork } from './late-work.ts';

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
