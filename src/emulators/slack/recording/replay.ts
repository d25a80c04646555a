import { act } from '../interactions/act.ts';
import { uploadFile } from '../interactions/upload-file.ts';
import { Refusal } from '../refusal.ts';
import type { Site, Slack } from '../site.ts';
import { findPerson } from '../state/directory.ts';
import { LearnedIds } from './learned-ids.ts';
import { changesOf, isUpkeep, type Match, matchTraffic } from './match-traffic.ts';
import { ObservedTraffic } from './observed-traffic.ts';
import { containerOf, idsAt } from './place-of.ts';
import type { Deed, RecordedTraffic, Recording } from './recording.ts';
import { type Difference, describeDeed, type ReplayReport } from './report.ts';

export interface ReplayOptions {
  /** Time beyond the recorded one in which the app may still do what it did in the recording. Defaults to 5,000. */
  patienceMs?: number;
}

/** Time without traffic after which the app counts as done. */
const QUIET_MS = 300;

/** Does again what people did in a recording, and compares what the app makes of it. */
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

type Finding = Omit<Difference, 'after'> & { deed: number };

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
    for (const deed of this.#recording.deeds) await this.#repeat(deed);
    // What came later than expected.
    const { matches, missing } = this.#observed.match(this.#missing, this.#ids);
    return this.#report([...this.#matches, ...matches], missing);
  }

  async #repeat(deed: Deed): Promise<void> {
    const { number } = deed;
    this.#observed.begin(number);
    const startedAt = Date.now();
    const error = await this.#perform(deed);
    if (error !== deed.error) {
      const details = [
        ...(deed.error === undefined ? [] : [`was refused with ${deed.error}`]),
        error === undefined ? 'is possible now' : `is refused with ${error} now`,
      ];
      this.#findings.push({ deed: number, change: 'refused', label: 'the action', details });
    }
    // What an app does when it connects depends on when the recording began.
    const expected = this.#recording.traffic.filter((entry) => entry.deed === number && !isUpkeep(entry));
    const recordedMs = Math.max(0, ...expected.map(({ at }) => at - deed.at));
    await this.#settle(expected, startedAt + recordedMs + this.#patienceMs);
    const { matches, missing } = this.#observed.match(expected, this.#ids);
    this.#matches.push(...matches);
    this.#missing.push(...missing);
  }

  /** Returns why it was refused. */
  async #perform(deed: Deed): Promise<string | undefined> {
    const site = this.#slack.sites[deed.team];
    if (!site) return 'team_not_found';
    try {
      this.#ids.learn(deed.result, await this.#act(site, deed));
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  }

  #act(site: Site, { person, request, place, at }: Deed): Promise<unknown> {
    if (request.act === 'upload')
      return uploadFile(site, person, request.name, Buffer.from(request.base64, 'base64'));
    const container = containerOf(this.#ids.translate(request));
    const ids = container && place && idsAt(site, person, container, place);
    if (place && ids) this.#ids.learn(place.ids, ids);
    const translated = this.#ids.translate(request);
    // The clock is moved as far as it was, from today on.
    if (translated.act === 'clock' && translated.to !== 'now') translated.to += site.now() - at;
    return act(site, person, translated);
  }

  /** Waits until everything expected has come and the app is quiet, at the latest until the deadline (ms). */
  async #settle(expected: readonly RecordedTraffic[], deadline: number): Promise<void> {
    for (;;) {
      const left = deadline - Date.now();
      if (left <= 0) return;
      const { missing } = matchTraffic(expected, this.#observed.free, this.#ids);
      const isComplete = missing.length === 0 && this.#observed.isAnswered;
      if (!(await this.#observed.nextChange(isComplete ? Math.min(QUIET_MS, left) : left))) return;
    }
  }

  #report(matches: readonly Match[], missing: readonly RecordedTraffic[]): ReplayReport {
    const finding =
      (change: Difference['change'], details: string[] = []) =>
      ({ label, deed }: RecordedTraffic): Finding => ({ deed, change, label, details });
    const extra = this.#observed.free.filter((entry) => entry.deed > 0 && !isUpkeep(entry));
    const changed = matches.flatMap((match) => {
      const details = changesOf(match, this.#ids);
      return details.length === 0 ? [] : [finding('changed', details)(match.recorded)];
    });
    const findings = [
      ...this.#findings,
      ...missing.map(finding('missing')),
      ...extra.map(finding('extra')),
      ...changed,
    ];
    return {
      deeds: this.#recording.deeds.length,
      matched: matches.length,
      differences: findings
        .toSorted((a, b) => a.deed - b.deed)
        .map(({ deed, ...rest }) => ({ ...rest, after: this.#describe(deed) })),
    };
  }

  #describe(number: number): string {
    const deed = this.#recording.deeds.find((each) => each.number === number);
    const site = deed && this.#slack.sites[deed.team];
    if (!site) return 'At the start';
    return `${number}. ${findPerson(site, deed.person)?.name ?? deed.person}: ${describeDeed(deed)}`;
  }
}
