import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { getOwn } from '../contract/narrowing.ts';
import type { OperationId } from '../operations/all-operations.ts';
import { type Commit, type FaultPlan, type FaultRule, faultPlan } from './fault-plan.ts';
import { type GarbledAnswer, garbleAnswer } from './garbage.ts';
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

interface FaultyCall {
  rule: FaultRule;
  request: Request;
  /** The raw response, for answers that a Response can't express. */
  outgoing: ServerResponse;
  /** Executes the request. */
  carryOut: (request: Request) => Promise<Response>;
  lateWork: LateWork;
}

const BYTE_MS = 1_000;

/** Answers a request with a fault. */
async function injectFault(faulty: FaultyCall): Promise<Response> {
  const { rule, request, outgoing, carryOut } = faulty;
  if (rule.delayMs !== undefined) await waitUnlessDisconnected(outgoing, rule.delayMs);
  switch (rule.fault) {
    case 'slow':
      return carryOut(request);
    case 'cut':
      await work(faulty, rule.commit);
      return cut(outgoing);
    case 'hang':
      await work(faulty, rule.commit);
      if (!outgoing.closed) await once(outgoing, 'close');
      return RESPONSE_ALREADY_SENT;
    case 'status':
      await work(faulty, rule.commit ?? 'never');
      return buildRefusal(rule);
    case 'garbage': {
      const answer = await work(faulty, rule.commit ?? 'first');
      const data = getOwn(await answer?.json(), 'data') ?? null;
      return send(outgoing, {
        ...garbleAnswer(rule.garbage, data),
        ...(rule.status && { status: rule.status }),
      });
    }
    case 'slow-bytes':
      return sendSlowly(outgoing, await carryOut(request), rule.byteMs ?? BYTE_MS);
  }
}

/** Executes the request now, later or never. In each case the whole body has been read. */
async function work(
  { request, carryOut, lateWork }: FaultyCall,
  commit: Commit,
): Promise<Response | undefined> {
  if (commit === 'first') return carryOut(request);
  const { url, method, headers } = request;
  const body = await request.arrayBuffer();
  if (commit === 'never') return undefined;
  const again = new Request(url, { method, headers, ...(body.byteLength > 0 && { body }) });
  lateWork.after(commit.lateMs, () => carryOut(again));
  return undefined;
}

/** Waits, at most until the client disconnects. */
async function waitUnlessDisconnected(outgoing: ServerResponse, ms: number): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  outgoing.once('close', leave);
  await delay(ms, undefined, { signal: left.signal }).catch(() => undefined);
  outgoing.off('close', leave);
}

function cut(outgoing: ServerResponse): Response {
  outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

const DETAILS: Readonly<Record<number, unknown>> = {
  401: 'Not authenticated',
  403: 'Not allowed',
  422: [
    { loc: ['body', 'Content'], msg: 'The practice service refuses everything now', type: 'value_error' },
  ],
  429: 'Too many requests',
};

function buildRefusal(rule: FaultRule & { fault: 'status' }): Response {
  const { status, retryAfter, location } = rule;
  const detail = rule.detail ?? DETAILS[status] ?? 'The practice service fails now, as it was told to';
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(location !== undefined && { Location: location }),
  };
  return status === 304
    ? new Response(null, { status, headers })
    : Response.json({ detail }, { status, headers });
}

/** Sends an answer as it is, even with a wrong length, and closes the connection. */
function send(outgoing: ServerResponse, { status, type, body, length }: GarbledAnswer): Response {
  if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  outgoing.writeHead(status, {
    'Content-Type': type,
    ...(status !== 204 && { 'Content-Length': length ?? Buffer.byteLength(body) }),
    Connection: 'close',
  });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

async function sendSlowly(outgoing: ServerResponse, answer: Response, byteMs: number): Promise<Response> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  outgoing.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    'Content-Length': bytes.length,
  });
  outgoing.flushHeaders();
  for (const byte of bytes) {
    await waitUnlessDisconnected(outgoing, byteMs);
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
    outgoing.write(Buffer.of(byte));
  }
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}
