import type { Audience } from '../state/audience.ts';
import { makeSecret } from '../state/ids.ts';
import { shortenSecrets } from './shorten-secrets.ts';
import type { TrafficRecord } from './traffic-record.ts';

/** Records that the inspector looks back at. Older ones are deleted. */
export const MAX_RECORDS = 500;
/** Characters of JSON in all records together, so that large views don't fill the memory. */
const MAX_TOTAL_LENGTH = 8 * 1024 * 1024;
/** Characters of one payload or answer: a view may have 250 KB. */
const MAX_PART_LENGTH = 300 * 1024;

interface About extends Pick<TrafficRecord, 'direction' | 'kind' | 'label' | 'call'> {
  payload: unknown;
}

interface Result {
  outcome: TrafficRecord['outcome'];
  /** Undefined where it is empty. */
  answer?: unknown;
  reason?: string | undefined;
}

/** A record whose answer is awaited. */
interface OpenRecord {
  /** The answer didn't come in time, and may still come. */
  markLate(): void;
  end(result: Result): void;
}

/** What the app was sent and what it called in one workspace: the newest records, in the order of their start. */
export class TrafficLog {
  readonly #records: TrafficRecord[] = [];
  readonly #audience: Audience;
  readonly #now: () => number;
  readonly #listeners: ReadonlySet<(record: TrafficRecord) => void>;
  readonly #app: string;
  #length = 0;

  /** `listeners` get each record when it begins, and whenever it changes. `app` is the app's name. */
  constructor(
    audience: Audience,
    now: () => number,
    listeners: ReadonlySet<(record: TrafficRecord) => void>,
    app: string,
  ) {
    this.#app = app;
    this.#audience = audience;
    this.#now = now;
    this.#listeners = listeners;
  }

  get records(): readonly TrafficRecord[] {
    return this.#records;
  }

  clear(): void {
    this.#records.splice(0);
    this.#length = 0;
  }

  begin({ direction, kind, label, payload, call }: About): OpenRecord {
    const record: TrafficRecord = {
      id: makeSecret(6),
      app: this.#app,
      direction,
      at: this.#now(),
      kind,
      label,
      payload: describe(payload),
      outcome: 'waiting',
      ...(call && { call }),
    };
    this.#records.push(record);
    this.#length += record.payload.length;
    this.#changed(record);
    const startedAt = performance.now();
    return {
      markLate: () => {
        record.outcome = 'late';
        this.#changed(record);
      },
      end: ({ outcome, answer, reason }) => {
        record.durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
        record.outcome = outcome;
        if (reason !== undefined) record.reason = reason;
        if (answer !== undefined) this.#keepAnswer(record, describe(answer));
        this.#changed(record);
      },
    };
  }

  #keepAnswer(record: TrafficRecord, answer: string): void {
    record.answer = answer;
    // A record that was deleted meanwhile counts no longer.
    if (this.#records.includes(record)) this.#length += answer.length;
  }

  #changed(record: TrafficRecord): void {
    while (
      this.#records.length > MAX_RECORDS ||
      (this.#length > MAX_TOTAL_LENGTH && this.#records.length > 1)
    ) {
      const oldest = this.#records.shift();
      this.#length -= (oldest?.payload.length ?? 0) + (oldest?.answer?.length ?? 0);
    }
    for (const listener of this.#listeners) listener(record);
    this.#audience.sendToAll({ type: 'traffic', record: { ...record } });
  }
}

function describe(value: unknown): string {
  const text = shortenSecrets(stringify(value));
  if (text.length <= MAX_PART_LENGTH) return text;
  return JSON.stringify(`${text.length} characters, which are too many to keep`);
}

/** JSON that an app sends can be nested too deeply for `JSON.stringify`, which then throws a RangeError. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify('nested too deeply to keep');
  }
}
