import type { PageRequest } from '../page-request.ts';
import { Refusal } from '../refusal.ts';
import type { SessionRecorder, Site, Slack } from '../site.ts';
import type { SavedSlack } from '../state/saved-slack.ts';
import type { TrafficRecord } from '../traffic/traffic-record.ts';
import { findPosition, getContainer } from './container-position.ts';
import type { Action, RecordedTraffic, RecordingLine, Upload } from './recording.ts';

/** Requests that change nothing. */
const READ_REQUESTS = new Set<string>(['history', 'replies']);

export class Recorder implements SessionRecorder {
  /** Records without an answer by id, each with the number of the last action before it. */
  readonly #open = new Map<string, { action: number; record: TrafficRecord }>();
  #write: ((line: string) => void) | undefined;
  #unsubscribe: () => void = () => undefined;
  #actions = 0;

  get isRecording(): boolean {
    return this.#write !== undefined;
  }

  start(slack: Slack, write: (line: string) => void): void {
    if (this.#write) throw new Refusal('already_recording');
    this.#write = write;
    this.#actions = 0;
    const [site] = slack.sites;
    this.#writeLine({
      type: 'recording',
      version: 2,
      at: site?.now() ?? 0,
      state: withoutTokens(slack.buildSavedState()),
    });
    slack.trafficListeners.add(this.#handleRecord);
    this.#unsubscribe = () => slack.trafficListeners.delete(this.#handleRecord);
  }

  stop(): void {
    this.#unsubscribe();
    for (const { record, action } of this.#open.values()) this.#writeLine(toRecordedTraffic(record, action));
    this.#open.clear();
    this.#write = undefined;
  }

  async recordAction<T>(
    site: Site,
    person: string,
    request: PageRequest | Upload,
    run: () => Promise<T>,
  ): Promise<T> {
    if (!this.#write || READ_REQUESTS.has(request.act)) return run();
    const container = request.act === 'upload' ? undefined : getContainer(request);
    const position = container && findPosition(site, person, container);
    this.#actions += 1;
    const action: Action = {
      type: 'action',
      number: this.#actions,
      at: site.now(),
      team: site.slack.sites.indexOf(site),
      person,
      request,
      ...(position && { position }),
    };
    try {
      const result = await run();
      this.#writeLine({ ...action, ...(result === undefined ? {} : { result }) });
      return result;
    } catch (error) {
      this.#writeLine({ ...action, error: error instanceof Refusal ? error.code : 'internal_error' });
      throw error;
    }
  }

  readonly #handleRecord = (record: TrafficRecord): void => {
    const open = this.#open.get(record.id) ?? { action: this.#actions, record };
    this.#open.set(record.id, open);
    if (record.durationMs === undefined) return;
    this.#open.delete(record.id);
    this.#writeLine(toRecordedTraffic(record, open.action));
  };

  #writeLine(line: RecordingLine): void {
    this.#write?.(JSON.stringify(line));
  }
}

export function toRecordedTraffic(record: TrafficRecord, action: number): RecordedTraffic {
  const { direction, app, at, kind, label, payload, answer, outcome, reason } = record;
  return {
    ...{ type: direction, action, at, app, kind, label, outcome },
    payload: JSON.parse(payload),
    ...(answer !== undefined && { answer: JSON.parse(answer) }),
    ...(reason !== undefined && { reason }),
  };
}

/** Removes tokens. A replay creates new ones for installations, and steps get theirs when they run. */
function withoutTokens(state: SavedSlack): SavedSlack {
  const grants = state.grants
    .filter(({ ended, kind }) => !ended && kind !== 'step')
    .map(({ refresh: _, ...grant }) => ({ ...grant, token: '' }));
  return { ...state, grants };
}
