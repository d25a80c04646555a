import { act } from '../interactions/act.ts';
import { uploadFile } from '../interactions/upload-file.ts';
import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { findIdsAtPosition, getContainer } from './container-position.ts';
import { LearnedIds } from './learned-ids.ts';
import { findChanges, isConnectionCall, type Match, matchTraffic } from './match-traffic.ts';
import { ObservedTraffic } from './observed-traffic.ts';
import type { Action, RecordedTraffic, Recording } from './recording.ts';
import { type Difference, describeAction, type ReplayReport } from './report.ts';

export interface ReplayOptions {
  /** Time that the app may take after each action, beyond the recorded time. Defaults to 5,000. */
  patienceMs?: number;
}

/** After this time without requests and calls, the next action follows. */
const QUIET_MS = 300;

/** Repeats the actions of a recording, and reports how the app's requests and calls differ. */
export async function replay(
  slack: Slack,
  recording: Recording,
  { patienceMs = 5_000 }: ReplayOptions = {},
): Promise<ReplayReport> {
  slack.restore(recording.state);
  const observed = new ObservedTraffic(slack);
  try {
    return await new Replay(slack, recording, observed, patienceMs).run();
  } finally {
    observed.stop();
  }
}

type Finding = Omit<Difference, 'after'> & { action: number };

class Replay {
  readonly #slack: Slack;
  readonly #recording: Recording;
  readonly #observed: ObservedTraffic;
  readonly #patienceMs: number;
  readonly #ids = new LearnedIds();
  readonly #matches: Match[] = [];
  readonly #missing: RecordedTraffic[] = [];
  readonly #findings: Finding[] = [];

  constructor(slack: Slack, recording: Recording, observed: ObservedTraffic, patienceMs: number) {
    this.#slack = slack;
    this.#recording = recording;
    this.#observed = observed;
    this.#patienceMs = patienceMs;
  }

  async run(): Promise<ReplayReport> {
    for (const action of this.#recording.actions) await this.#repeat(action);
    // Some requests and calls only come after later actions.
    const { matches, missing } = this.#observed.match(this.#missing, this.#ids);
    return this.#buildReport([...this.#matches, ...matches], missing);
  }

  async #repeat(action: Action): Promise<void> {
    const { number } = action;
    this.#observed.startAction(number);
    const startedAt = Date.now();
    const error = await this.#perform(action);
    if (error !== action.error) {
      const details = [
        ...(action.error === undefined ? [] : [`was refused with ${action.error}`]),
        error === undefined ? 'is possible now' : `is refused with ${error} now`,
      ];
      this.#findings.push({ action: number, change: 'refused', label: 'the action', details });
    }
    // Calls at the start of a connection depend on when the recording started.
    const expected = this.#recording.traffic.filter(
      (entry) => entry.action === number && !isConnectionCall(entry),
    );
    const recordedMs = Math.max(0, ...expected.map(({ at }) => at - action.at));
    await this.#waitUntilQuiet(expected, startedAt + recordedMs + this.#patienceMs);
    const { matches, missing } = this.#observed.match(expected, this.#ids);
    this.#matches.push(...matches);
    this.#missing.push(...missing);
  }

  /** Returns the workspace's error if it refuses the action. */
  async #perform(action: Action): Promise<string | undefined> {
    const site = this.#slack.sites[action.team];
    if (!site) return 'team_not_found';
    try {
      this.#ids.learn(action.result, await this.#repeatRequest(site, action));
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  }

  #repeatRequest(site: Site, { person, request, position, at }: Action): Promise<unknown> {
    if (request.act === 'upload')
      return uploadFile(site, person, request.name, Buffer.from(request.base64, 'base64'));
    const container = getContainer(this.#ids.translate(request));
    const ids = container && position && findIdsAtPosition(site, person, container, position);
    if (position && ids) this.#ids.learn(position.ids, ids);
    const translated = this.#ids.translate(request);
    // The clock moves by the same duration.
    if (translated.act === 'clock' && translated.to !== 'now') translated.to += site.now() - at;
    return act(site, person, translated);
  }

  /** Waits until all expected traffic has come and is answered, and no more follows. `deadline` is in ms. */
  async #waitUntilQuiet(expected: readonly RecordedTraffic[], deadline: number): Promise<void> {
    for (;;) {
      const remainingMs = deadline - Date.now();
      if (remainingMs <= 0) return;
      const { missing } = matchTraffic(expected, this.#observed.unmatched, this.#ids);
      const isComplete = missing.length === 0 && this.#observed.isAnswered;
      const timeoutMs = isComplete ? Math.min(QUIET_MS, remainingMs) : remainingMs;
      if (!(await this.#observed.waitForChange(timeoutMs))) return;
    }
  }

  #buildReport(matches: readonly Match[], missing: readonly RecordedTraffic[]): ReplayReport {
    const toFinding =
      (change: Difference['change'], details: string[] = []) =>
      ({ label, action }: RecordedTraffic): Finding => ({ action, change, label, details });
    const extra = this.#observed.unmatched.filter((entry) => entry.action > 0 && !isConnectionCall(entry));
    const changed = matches.flatMap((match) => {
      const details = findChanges(match, this.#ids);
      return details.length === 0 ? [] : [toFinding('changed', details)(match.recorded)];
    });
    const findings = [
      ...this.#findings,
      ...missing.map(toFinding('missing')),
      ...extra.map(toFinding('extra')),
      ...changed,
    ];
    return {
      actions: this.#recording.actions.length,
      matched: matches.length,
      differences: findings
        .toSorted((a, b) => a.action - b.action)
        .map(({ action, ...rest }) => ({ ...rest, after: this.#describe(action) })),
    };
  }

  #describe(number: number): string {
    const action = this.#recording.actions.find((each) => each.number === number);
    const site = action && this.#slack.sites[action.team];
    if (!site) return 'At the start';
    return `${number}. ${findPerson(site, action.person)?.name ?? action.person}: ${describeAction(action)}`;
  }
}
