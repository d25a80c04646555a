import type { Randomness } from './randomness.ts';
import { getProcess, type Process, runIn, runWhileAlive, type VirtualTime } from './virtual-time.ts';

/** What an instance reaches over the network. */
export type Target = 'database' | 'slack' | 'service';

/**
 * How a target behaves for a while. `down`: it refuses connections. `silent`: it takes requests, and doesn't answer.
 * `lossy`: many answers are lost, and sometimes the requests. `odd`: it answers in ways of its own.
 * `slow`: it answers after seconds.
 */
export const CONDITIONS = ['fine', 'down', 'silent', 'lossy', 'odd', 'slow'] as const;
/**
 * What only concerns the posts that a service gets, and the messages that Slack gets. `busy`: a service takes none, and says
 * so. `unclear`: the answers to them are lost. `late`: these, and they are carried out minutes later. `full`: a database writes nothing, because its disk is full.
 */
export type Condition = (typeof CONDITIONS)[number] | 'busy' | 'unclear' | 'late' | 'full';

/** What becomes of one call. `isLost`: nobody gets the answer. `applied`: when the target does what was asked. */
interface Fate {
  isRefused: boolean;
  isLost: boolean;
  /** `late`: minutes after the caller has given up. */
  applied: 'at once' | 'never' | 'late';
  isOdd: boolean;
  isBusy: boolean;
  delayMs: number;
}

/** After a statement that claims a post, and one that says that something is sent. */
type StatementKind = 'claiming' | 'sending';

/** Ends an instance at one of the next calls, before the request leaves or after the target has done it. */
interface PlannedDeath {
  /** Undefined: whichever instance makes the call. */
  process: Process | undefined;
  /** Counts only calls to this target, or statements after which something is sent, or that claim a post. Undefined: all calls. */
  target: Target | StatementKind | 'sent' | undefined;
  calls: number;
  isAfterEffect: boolean;
  /** Instead of dying, the process stands still for so long. */
  frozenMs?: number;
  /** Called after the death. */
  onEnded?(): void;
}

const never = new Promise<never>(() => undefined);
/** The longest answers of a slow target. Those of a service may take longer than a call may. */
const MAX_DELAY_MS: Record<Target, number> = { database: 2_000, slack: 4_000, service: 16_000 };
/** The longest time in which a target applies a request whose answer is lost. Slack ends its work when a caller leaves. */
const MAX_LATE_MS: Record<Target, number> = { database: 0, slack: 1_000, service: 20 * 60_000 };

/** The usual shares of affected calls. A command makes many calls of the database, and few of the service. */
const SHARES: Record<Target, number> = { database: 0.1, slack: 0.25, service: 0.5 };

export function createNetwork(
  time: VirtualTime,
  randomness: Randomness,
  { onDeath, onFreeze }: { onDeath(process: Process): void; onFreeze(process: Process, forMs: number): void },
) {
  const conditions = new Map<Target, { condition: Condition; share: number }>();
  let deaths: PlannedDeath[] = [];
  let counts: Record<Target, number> = { database: 0, slack: 0, service: 0 };

  const getCondition = (target: Target): Condition => conditions.get(target)?.condition ?? 'fine';
  const wait = (ms: number) => new Promise<void>((resolve) => time.after(ms, resolve));
  /** Resolves when the process runs, never if it has died. */
  const resume = (process: Process | undefined) =>
    new Promise<void>((resolve) => runWhileAlive(process, resolve));
  /** Counts a call. Returns true if the process dies at this point. */
  function isEnd(
    process: Process | undefined,
    target: Target | StatementKind,
    isAfterEffect: boolean,
  ): boolean {
    const isStatement = target === 'sending' || target === 'claiming';
    const isPlanned = (planned: PlannedDeath) => {
      if ((planned.process ?? process) !== process) return false;
      if (planned.target === undefined) return !isStatement;
      return planned.target === 'sent' ? ['service', 'slack'].includes(target) : planned.target === target;
    };
    const death = deaths.find(isPlanned);
    if (!process || !death || (death.isAfterEffect !== isAfterEffect && !isStatement)) return false;
    death.calls -= 1;
    if (death.calls > 0) return false;
    deaths = deaths.filter((planned) => planned !== death);
    if (target === 'sending' && death.isAfterEffect) {
      // It ends after the call that follows.
      deaths.push({ ...death, process, target: 'sent', calls: 1 });
      return false;
    }
    if (death.frozenMs !== undefined) {
      onFreeze(process, death.frozenMs);
      return false;
    }
    onDeath(process);
    death.onEnded?.();
    return true;
  }
  /** `isRead`: whether the call makes no post or message. */
  function drawFate(target: Target, isRead = false): Fate {
    const random = randomness.get(`${target} of ${getProcess()?.name ?? 'the world'}`);
    const condition = getCondition(target);
    const fate: Fate = {
      ...{
        isRefused: condition === 'down',
        isLost: condition === 'silent',
        applied: 'at once',
        isOdd: false,
        isBusy: condition === 'busy' && !isRead,
      },
      // Some statements take longer, so that others come in between.
      delayMs: random.drawInteger(target === 'database' ? random.pick([4, 4, 4, 4, 60]) : 120),
    };
    if (condition === 'slow') fate.delayMs = random.drawInteger(MAX_DELAY_MS[target]);
    const share = conditions.get(target)?.share ?? 0;
    if (condition === 'odd') fate.isOdd = random.drawBoolean(share);
    if (condition === 'unclear' || condition === 'late') fate.isLost = !isRead;
    if (condition === 'lossy') fate.isLost = random.drawBoolean(share);
    if (fate.isLost)
      fate.applied = condition === 'late' ? 'late' : random.pick(['at once', 'never', 'late'] as const);
    return fate;
  }
  return {
    wait,
    drawFate,
    /** `share`: how many calls a lossy or odd condition affects, from 0 to 1. */
    setCondition(target: Target, condition: Condition, share = SHARES[target]) {
      conditions.set(target, { condition, share });
    },
    getCondition,
    planDeath(death: PlannedDeath) {
      deaths.push(death);
    },
    /** After such a statement, and before what follows. Never resolves if the process dies here. */
    async passStatement(kind: StatementKind): Promise<void> {
      const process = getProcess();
      if (isEnd(process, kind, true)) return never;
      await resume(process);
    },
    /** Nobody dies any more of what was planned. */
    cancelDeaths() {
      deaths = [];
    },
    /** Calls of running instances so far. */
    readCounts: () => ({ ...counts }),
    reset() {
      conditions.clear();
      deaths = [];
      counts = { database: 0, slack: 0, service: 0 };
    },
    /**
     * Makes one call of the current process: `effect` happens outside of it, and the process goes on only while it lives.
     * `lose` rejects for a lost answer; without it nothing is ever lost.
     */
    async call<Result>(
      target: Target,
      fate: Fate,
      { effect, lose }: { effect: () => Promise<Result>; lose: () => Error },
    ): Promise<Result> {
      const process = getProcess();
      const { applied, isLost } = fate;
      if (process && process.state !== 'running') await resume(process);
      counts[target] += 1;
      if (isEnd(process, target, false)) return never;
      if (fate.delayMs > 0) await wait(fate.delayMs / 2);
      if (fate.isRefused || applied === 'never') {
        await resume(process);
        throw lose();
      }
      if (applied === 'late') {
        const lateMs = randomness.get(`late ${target}`).drawInteger(MAX_LATE_MS[target]);
        time.after(lateMs, () => void effect().catch(() => undefined));
        await resume(process);
        throw lose();
      }
      const ending = await runIn(undefined, () =>
        effect().then(
          (result) => () => result,
          (error: unknown) => () => {
            throw error;
          },
        ),
      );
      if (isEnd(process, target, true)) return never;
      if (fate.delayMs > 0) await wait(fate.delayMs / 2);
      await resume(process);
      if (isLost) throw lose();
      return ending();
    },
  };
}

export type Network = ReturnType<typeof createNetwork>;
