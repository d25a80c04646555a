import type { Slack } from '../site.ts';
import type { TrafficRecord } from '../traffic/traffic-record.ts';
import type { LearnedIds } from './learned-ids.ts';
import { type Match, matchTraffic } from './match-traffic.ts';
import { toRecordedTraffic } from './recorder.ts';
import type { RecordedTraffic } from './recording.ts';

/** Collects the requests to the app and calls by it during a replay. */
export class ObservedTraffic {
  /** By record id. */
  readonly #unmatched = new Map<string, RecordedTraffic>();
  /** Ids of records without an answer. */
  readonly #unanswered = new Set<string>();
  /** Ids of records. */
  readonly #matched = new Set<string>();
  readonly #stop: () => void;
  #action = 0;
  #onChange: () => void = () => undefined;

  constructor(slack: Slack) {
    slack.trafficListeners.add(this.#handleRecord);
    this.#stop = () => slack.trafficListeners.delete(this.#handleRecord);
  }

  get unmatched(): RecordedTraffic[] {
    return [...this.#unmatched.values()];
  }

  /** Whether all requests and calls have an answer. */
  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Assigns all requests and calls from now on to this action. */
  startAction(action: number): void {
    this.#action = action;
  }

  /** Finds the counterparts of recorded requests and calls, and removes them from the unmatched ones. */
  match(
    expected: readonly RecordedTraffic[],
    ids: LearnedIds,
  ): { matches: Match[]; missing: RecordedTraffic[] } {
    const { matches, missing } = matchTraffic(expected, this.unmatched, ids);
    const counterparts = new Set(matches.map(({ replayed }) => replayed));
    for (const [id, entry] of this.#unmatched) {
      if (!counterparts.has(entry)) continue;
      this.#unmatched.delete(id);
      this.#matched.add(id);
    }
    return { matches, missing };
  }

  /** Resolves with true at the next change, or with false after `withinMs`. */
  waitForChange(withinMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => resolve(false), withinMs);
    this.#onChange = () => {
      clearTimeout(timer);
      resolve(true);
    };
    return promise;
  }

  stop(): void {
    this.#stop();
  }

  readonly #handleRecord = (record: TrafficRecord): void => {
    if (record.durationMs === undefined) this.#unanswered.add(record.id);
    else this.#unanswered.delete(record.id);
    if (!this.#matched.has(record.id)) {
      const action = this.#unmatched.get(record.id)?.action ?? this.#action;
      this.#unmatched.set(record.id, toRecordedTraffic(record, action));
    }
    this.#onChange();
  };
}
