import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { OperationId } from '../operations/all-operations.ts';
import { actOut } from './act-out.ts';
import { type FaultCounts, FaultDraw } from './fault-draw.ts';
import { type FaultPlan, faultPlan } from './fault-plan.ts';
import { LateWork } from './late-work.ts';

/** The practice service's faults, for a test. */
export interface ServiceFaults {
  readonly plan: FaultPlan;
  /** From the next call on, instead of what was planned before. What hangs already goes on hanging. */
  set(plan: FaultPlan): Promise<void>;
  /** As usual again. */
  clear(): Promise<void>;
  counts(): FaultCounts;
  /** Resolves once all that was to be committed late is committed. */
  settled(): Promise<void>;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * Stands before the service's own answers, and spoils those that the plan says. `line` opens and closes the service's
 * port.
 */
export class FaultyDoor implements ServiceFaults {
  readonly #draw = new FaultDraw();
  readonly #lateWork: LateWork;
  readonly #held = new Set<ServerResponse>();
  readonly #fetch: Fetch;
  readonly #operationAt: (method: string, target: string) => OperationId | undefined;
  #line: { goDown(): Promise<void>; comeBack(): Promise<void> } | undefined;
  /** Plans take effect one after the other. */
  #changing = Promise.resolve();

  constructor(options: {
    fetch: Fetch;
    operationAt: (method: string, target: string) => OperationId | undefined;
    onFault: (error: unknown) => void;
  }) {
    this.#fetch = options.fetch;
    this.#operationAt = options.operationAt;
    this.#lateWork = new LateWork(options.onFault);
  }

  /** The port that can be closed and opened. */
  guard(line: { goDown(): Promise<void>; comeBack(): Promise<void> }): void {
    this.#line = line;
  }

  readonly answer = async (request: Request, { incoming, outgoing }: HttpBindings): Promise<Response> => {
    const rule = this.#draw.next(this.#operationAt(incoming.method ?? '', incoming.url ?? ''));
    if (rule === undefined) return this.#fetch(request);
    this.#held.add(outgoing);
    outgoing.once('close', () => this.#held.delete(outgoing));
    return actOut({ rule, request, outgoing, carryOut: this.#fetch, lateWork: this.#lateWork });
  };

  get plan(): FaultPlan {
    return this.#draw.plan;
  }

  async set(plan: FaultPlan): Promise<void> {
    // Also where TypeScript has not looked: a plan may come from a script or over HTTP.
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

  settled(): Promise<void> {
    return this.#lateWork.settled();
  }

  /** Whoever is still kept waiting is cut off. */
  async close(): Promise<void> {
    for (const outgoing of this.#held) outgoing.destroy();
    await this.#lateWork.close();
  }
}
