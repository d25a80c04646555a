import type { PageRequest } from '../page-request.ts';
import { Refusal } from '../refusal.ts';
import type { SessionRecorder, Site, Slack } from '../site.ts';
import type { SavedSlack } from '../state/saved-slack.ts';
import type { TrafficRecord } from '../traffic/traffic-record.ts';
import { containerOf, placeOf } from './place-of.ts';
import type { Deed, RecordedTraffic, RecordingLine, Upload } from './recording.ts';

/** Requests that only read. */
const READING = new Set<string>(['history', 'replies']);

export class Recorder implements SessionRecorder {
  /** Record id → number of the deed after which it began. */
  readonly #open = new Map<string, { deed: number; record: TrafficRecord }>();
  #write: ((line: string) => void) | undefined;
  #leave: () => void = () => undefined;
  #deeds = 0;

  get isRecording(): boolean {
    return this.#write !== undefined;
  }

  start(slack: Slack, write: (line: string) => void): void {
    if (this.#write) throw new Refusal('already_recording');
    this.#write = write;
    this.#deeds = 0;
    const [site] = slack.sites;
    this.#put({
      type: 'recording',
      version: 1,
      at: site?.now() ?? 0,
      state: withoutTokens(slack.buildSavedState()),
    });
    slack.trafficListeners.add(this.#hear);
    this.#leave = () => slack.trafficListeners.delete(this.#hear);
  }

  stop(): void {
    this.#leave();
    for (const { record, deed } of this.#open.values()) this.#put(recorded(record, deed));
    this.#open.clear();
    this.#write = undefined;
  }

  async recordAction<T>(
    site: Site,
    person: string,
    request: PageRequest | Upload,
    run: () => Promise<T>,
  ): Promise<T> {
    if (!this.#write || READING.has(request.act)) return run();
    const container = request.act === 'upload' ? undefined : containerOf(request);
    const place = container && placeOf(site, person, container);
    this.#deeds += 1;
    const deed: Deed = {
      type: 'deed',
      number: this.#deeds,
      at: site.now(),
      team: site.slack.sites.indexOf(site),
      person,
      request,
      ...(place && { place }),
    };
    try {
      const result = await run();
      this.#put({ ...deed, ...(result === undefined ? {} : { result }) });
      return result;
    } catch (error) {
      this.#put({ ...deed, error: error instanceof Refusal ? error.code : 'internal_error' });
      throw error;
    }
  }

  readonly #hear = (record: TrafficRecord): void => {
    const open = this.#open.get(record.id) ?? { deed: this.#deeds, record };
    this.#open.set(record.id, open);
    if (record.durationMs === undefined) return;
    this.#open.delete(record.id);
    this.#put(recorded(record, open.deed));
  };

  #put(line: RecordingLine): void {
    this.#write?.(JSON.stringify(line));
  }
}

export function recorded(record: TrafficRecord, deed: number): RecordedTraffic {
  const { direction, app, at, kind, label, payload, answer, outcome, reason } = record;
  return {
    ...{ type: direction, deed, at, app, kind, label, outcome },
    payload: JSON.parse(payload),
    ...(answer !== undefined && { answer: JSON.parse(answer) }),
    ...(reason !== undefined && { reason }),
  };
}

/** A replay gives the app's installations tokens of its own. Steps get theirs when they run. */
function withoutTokens(state: SavedSlack): SavedSlack {
  const grants = state.grants
    .filter(({ ended, kind }) => !ended && kind !== 'step')
    .map(({ refresh: _, ...grant }) => ({ ...grant, token: '' }));
  return { ...state, grants };
}
