import type { TrafficRecord } from '../protocol.ts';
import type { Audience } from '../state/audience.ts';
import { makeSecret } from '../state/ids.ts';

/** A Slack token: its kind, and the last four characters, by which people recognize it. */
const TOKEN = /\b(xapp|xwfp|xox[a-z](?:\.xox[a-z])?)-[\w-]{6,}([\w-]{4})/g;
/** Values of keys with secrets that aren't tokens, in JSON or in JSON within JSON. */
const SECRET_VALUE = /("(?:client_secret|refresh_token)\\*":\s*\\*")[^"\\]+/g;
/** The ticket in the address of a Socket Mode connection. */
const TICKET = /(\/link\?ticket=)\w+/g;

/** Replaces the secret part of tokens, such as `xoxb-…a1b2`, and all of other secrets. */
function shortenSecrets(text: string): string {
  return text.replace(TOKEN, '$1-…$2').replace(SECRET_VALUE, '$1…').replace(TICKET, '$1…');
}

/** Older records are deleted. */
export const MAX_RECORDS = 500;
/** Characters of all payloads and answers together, so that large views don't fill the memory. */
const MAX_TOTAL_LENGTH = 8 * 1024 * 1024;
/** Characters of one payload or answer. A view may have 250 KB. */
const MAX_PART_LENGTH = 300 * 1024;

interface Start extends Pick<TrafficRecord, 'direction' | 'kind' | 'label' | 'call'> {
  payload: unknown;
}

/** The newest requests to the app and calls by it in one workspace, in the order of their start. */
export class TrafficLog {
  readonly #records: TrafficRecord[] = [];
  readonly #audience: Audience;
  readonly #now: () => number;
  readonly #app: string;
  #length = 0;

  /** `app` is the app's name. */
  constructor(audience: Audience, now: () => number, app: string) {
    this.#app = app;
    this.#audience = audience;
    this.#now = now;
  }

  get records(): readonly TrafficRecord[] {
    return this.#records;
  }

  clear(): void {
    this.#records.splice(0);
    this.#length = 0;
  }

  start({ direction, kind, label, payload, call }: Start) {
    const record: TrafficRecord = {
      id: makeSecret(6),
      app: this.#app,
      direction,
      at: this.#now(),
      kind,
      label,
      payload: toShortJson(payload),
      outcome: 'waiting',
      ...(call && { call }),
    };
    this.#records.push(record);
    this.#length += record.payload.length;
    this.#announce(record);
    const startedAt = performance.now();
    return {
      /** Marks the answer as late. It may still come. */
      markLate: () => {
        record.outcome = 'late';
        this.#announce(record);
      },
      end: ({
        outcome,
        answer,
        reason,
      }: Pick<TrafficRecord, 'outcome' | 'reason'> & { answer?: unknown }) => {
        record.durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
        record.outcome = outcome;
        if (reason !== undefined) record.reason = reason;
        if (answer !== undefined) record.answer = toShortJson(answer);
        // Deleted records don't count.
        if (this.#records.includes(record)) this.#length += record.answer?.length ?? 0;
        this.#announce(record);
      },
    };
  }

  /** Deletes the oldest records if there are too many, and sends this one to open pages. */
  #announce(record: TrafficRecord): void {
    while (
      this.#records.length > MAX_RECORDS ||
      (this.#length > MAX_TOTAL_LENGTH && this.#records.length > 1)
    ) {
      const oldest = this.#records.shift();
      this.#length -= (oldest?.payload.length ?? 0) + (oldest?.answer?.length ?? 0);
    }
    this.#audience.sendToAll({ type: 'traffic', record: { ...record } });
  }
}

function toShortJson(value: unknown): string {
  const json = shortenSecrets(stringify(value));
  if (json.length <= MAX_PART_LENGTH) return json;
  return JSON.stringify(`${json.length} characters, which are too many to store`);
}

/** JSON that an app sends can be nested too deeply for `JSON.stringify`, which then throws a RangeError. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify('nested too deeply to store');
  }
}
