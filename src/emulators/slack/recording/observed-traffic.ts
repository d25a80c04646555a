import type { Slack } from '../site.ts';
import type { TrafficRecord } from '../traffic/traffic-record.ts';
import type { LearnedIds } from './learned-ids.ts';
import { type Match, matchTraffic } from './match-traffic.ts';
import { recorded } from './recorder.ts';
import type { RecordedTraffic } from './recording.ts';

/** What the app is sent and what it calls during a replay, as far as it plays no role yet. */
export class ObservedTraffic {
  /** Record id → what a recording would say about it. */
  readonly #free = new Map<string, RecordedTraffic>();
  readonly #waiting = new Set<string>();
  readonly #matched = new Set<string>();
  readonly #stop: () => void;
  #deed = 0;
  #changed: () => void = () => undefined;

  constructor(slack: Slack) {
    slack.trafficListeners.add(this.#hear);
    this.#stop = () => slack.trafficListeners.delete(this.#hear);
  }

  get free(): RecordedTraffic[] {
    return [...this.#free.values()];
  }

  /** Whether every request and call has its answer. */
  get isAnswered(): boolean {
    return this.#waiting.size === 0;
  }

  /** What begins from now on belongs to this deed. */
  begin(deed: number): void {
    this.#deed = deed;
  }

  /** Matches these for good. */
  match(
    expected: readonly RecordedTraffic[],
    ids: LearnedIds,
  ): { matches: Match[]; missing: RecordedTraffic[] } {
    const { matches, missing } = matchTraffic(expected, this.free, ids);
    const taken = new Set(matches.map(({ replayed }) => replayed));
    for (const [id, entry] of this.#free) {
      if (!taken.has(entry)) continue;
      this.#free.delete(id);
      this.#matched.add(id);
    }
    return { matches, missing };
  }

  /** False if nothing changes within that many ms. */
  nextChange(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), withinMs);
    this.#changed = () => {
      clearTimeout(timer);
      resolve(true);
    };
    return promise;
  }

  stop(): void {
    this.#stop();
  }

  readonly #hear = (record: TrafficRecord): void => {
    if (record.durationMs === undefined) this.#waiting.add(record.id);
    else this.#waiting.delete(record.id);
    if (!this.#matched.has(record.id)) {
      const deed = this.#free.get(record.id)?.deed ?? this.#deed;
      this.#free.set(record.id, recorded(record, deed));
    }
    this.#changed();
  };
}
