import { calendarDate, datesBetween, timeOfDay } from './digest-calendar.ts';
import type { Posted } from './digest-slack.ts';

/**
 * What must have been posted, from the settings, the path of the clock and the messages alone. Every date that came
 * while its digest was on has exactly one of these: its message (also the line that the service did not answer) · a
 * notice that it was missed · a pause that was told · nothing, where it had nothing to say.
 */

export interface Rule {
  days: readonly number[];
  minute: number;
  zone: string;
}

/** What happened to a digest; `at` is its place in the order of everything, `now` the time by the clock for people (ms). */
export type Happened =
  | { at: number; now: number; kind: 'set'; rule: Rule }
  | { at: number; now: number; kind: 'paused'; by: 'owner' | 'itself' }
  | { at: number; now: number; kind: 'resumed' }
  | { at: number; now: number; kind: 'removed' };

export interface Told {
  id: string;
  channel: string;
  owner: string;
  happened: readonly Happened[];
  /** Dates that the owner asked for once more, and when (ms). */
  askedAgain?: readonly { date: string; now: number }[];
}

/** The clock for people was set from one time to another (ms). */
export interface Jump {
  at: number;
  from: number;
  to: number;
}

export interface Verdict {
  expected: number;
  posted: number;
  late: number;
  lines: number;
  missed: number;
  silent: number;
  paused: number;
  /** How long after their moments those came that were neither late nor asked for (ms). */
  delays: number[];
  faults: string[];
}

interface Came {
  date: string;
  instant: number;
  zone: string;
  /** The pause that it may have run into. */
  pausedAt: number | undefined;
}

const HOUR = 60 * 60 * 1000;
/** A line stands in for its digest on the same day, or before it where the clock was set back by days meanwhile. */
const LINE_MS = 4 * 24 * HOUR;
/** So soon after its moment, or after its owner asked for it once more. */
const PAUSE_MS = 3 * 24 * HOUR;
/** Notices come when somebody is there again. */
const NOTICE_MS = 12 * 24 * HOUR;

export function checkDigests(given: {
  digests: readonly Told[];
  jumps: readonly Jump[];
  end: { at: number; now: number };
  messages: readonly Posted[];
  isSilent: (digest: string, date: string) => boolean;
}): Verdict {
  const verdict: Verdict = {
    ...{ expected: 0, posted: 0, late: 0, lines: 0, missed: 0, silent: 0, paused: 0 },
    ...{ delays: [], faults: [] },
  };
  const main = Map.groupBy(
    given.messages.filter(({ text }) => text.startsWith('digest ')),
    ({ text }) => text.split(',')[0] ?? '',
  );
  const lines = Map.groupBy(
    given.messages.filter(({ text }) => text.startsWith('No digest for ')),
    ({ channel }) => channel,
  );
  const notices = Map.groupBy(
    given.messages.filter(({ channel }) => channel.startsWith('D')),
    ({ channel }) => channel,
  );
  const namesOf = Map.groupBy(main.keys(), (name) => name.split(' ')[1]);
  for (const digest of given.digests) {
    const came = allThatCame(digest, given.jumps, given.end);
    const about = (notices.get(digest.owner.replace(/^U/, 'D')) ?? []).filter(({ text }) =>
      text.includes(`<#${digest.channel}>`),
    );
    const zones = new Set(digest.happened.flatMap((one) => (one.kind === 'set' ? [one.rule.zone] : [])));
    const more = unnamed(about);
    const seen = new Set<string>();
    for (const one of came) {
      verdict.expected += 1;
      const name = `digest ${digest.id} for ${one.date}`;
      seen.add(name);
      const ways: string[] = [];
      const messages = main.get(name) ?? [];
      for (const message of messages) {
        ways.push('posted');
        if (message.text.includes(', late')) verdict.late += 1;
        else if (!message.text.includes(', asked')) verdict.delays.push(message.at - one.instant);
      }
      const line = (lines.get(digest.channel) ?? []).filter(
        ({ text, at }) => isNear(at, one.instant, LINE_MS) && saysMoment(text, one, zones),
      );
      ways.push(...line.map(() => 'lines'));
      const isMissed = about.some(
        ({ text, at }) =>
          text.startsWith('Not posted') && isNear(at, one.instant, NOTICE_MS) && saysMoment(text, one, zones),
      );
      if (isMissed) ways.push('missed');
      if (ways.length === 0 && given.isSilent(digest.id, one.date)) ways.push('silent');
      const isPaused = isPausedAt(one) || isPausedWhenAskedAgain(digest, one.date);
      if (ways.length === 0 && isPaused) ways.push('paused');
      // Last: what has an end of its own takes no place among those that a notice only counts.
      if (ways.length === 0 && more.take(one.instant)) ways.push('missed');
      if (ways.length !== 1)
        verdict.faults.push(`${name} (${digest.channel}): ${ways.join(' and ') || 'nothing'}`);
      for (const way of ways) count(verdict, way);
    }
    for (const [place, happened] of digest.happened.entries()) {
      // Whoever removes it right then has not to be told of it.
      const isRemoved = digest.happened[place + 1]?.kind === 'removed';
      const isToBeTold = happened.kind === 'paused' && happened.by === 'itself' && !isRemoved;
      const isTold = about.some(
        ({ text, at }) => isNear(at, happened.now, NOTICE_MS) && text.includes('paused'),
      );
      if (isToBeTold && !isTold) {
        verdict.faults.push(`digest ${digest.id} is paused and nobody was told`);
      }
    }
    for (const name of namesOf.get(digest.id) ?? []) {
      if (!seen.has(name)) verdict.faults.push(`${name}: never came`);
    }
  }
  return verdict;
}

/** A notice names five dates of a digest, and says how many more there are: so many, and no more, are told so. */
function unnamed(about: readonly Posted[]) {
  const left = about
    .filter(({ text }) => text.startsWith('Not posted'))
    .map(({ text, at }) => ({ at, count: Number(/; (\d+) more$/m.exec(text)?.[1] ?? 0) }));
  return {
    take(instant: number): boolean {
      const one = left.find(({ at, count }) => count > 0 && isNear(at, instant, NOTICE_MS));
      if (one) one.count -= 1;
      return one !== undefined;
    },
  };
}

function count(verdict: Verdict, way: string): void {
  if (way === 'posted' || way === 'lines' || way === 'missed' || way === 'paused' || way === 'silent')
    verdict[way] += 1;
}

/** It came shortly before its digest was paused: then it stays undone. */
function isPausedAt({ instant, pausedAt }: Came): boolean {
  return pausedAt !== undefined && pausedAt >= instant && pausedAt - instant < PAUSE_MS;
}

/** Its owner asked for it once more, and by then or soon after the digest was paused, so that nothing was posted. */
function isPausedWhenAskedAgain({ happened, askedAgain = [] }: Told, date: string): boolean {
  const ends = (place: number) =>
    happened.slice(place).find(({ kind }) => kind === 'resumed' || kind === 'set')?.now;
  return askedAgain.some(
    (asked) =>
      asked.date === date &&
      happened.some(
        ({ kind, now }, place) =>
          (kind === 'paused' || kind === 'removed') &&
          now - asked.now < PAUSE_MS &&
          (ends(place) ?? Number.POSITIVE_INFINITY) > asked.now,
      ),
  );
}

/** Every date once: the first time that the clock passed its moment while the digest was on. */
function allThatCame(digest: Told, jumps: readonly Jump[], end: { at: number; now: number }): Came[] {
  const turns = jumps.map(({ at, from, to }) => ({ at, now: from, jumpTo: to }));
  const events = [...digest.happened, ...turns, { ...end, kind: 'end' as const }].toSorted(
    (a, b) => a.at - b.at,
  );
  const came = new Map<string, Came>();
  let rule: Rule | undefined;
  let isOn = false;
  let since = 0;
  for (const event of events) {
    if (isOn && rule && event.now > since) {
      for (const { date, instant } of datesBetween(rule, since, event.now)) {
        if (came.has(date)) continue;
        came.set(date, { date, instant, zone: rule.zone, pausedAt: undefined });
      }
    }
    if ('kind' in event && (event.kind === 'paused' || event.kind === 'removed')) {
      for (const one of came.values()) one.pausedAt ??= event.now;
    }
    since = event.now;
    if ('jumpTo' in event) {
      // A jump ahead passes what lies between; a jump back passes nothing.
      if (event.jumpTo > event.now && isOn && rule) {
        for (const { date, instant } of datesBetween(rule, event.now, event.jumpTo)) {
          if (!came.has(date)) came.set(date, { date, instant, zone: rule.zone, pausedAt: undefined });
        }
      }
      since = event.jumpTo;
    } else if (event.kind === 'set') {
      rule = event.rule;
      isOn = true;
    } else if (event.kind === 'resumed') isOn = true;
    else isOn = false;
  }
  return [...came.values()];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A notice names the moment in the zone that its digest has by then: "Sun 29 Mar, 03:30 (Berlin)". */
function saysMoment(text: string, { instant }: Came, zones: ReadonlySet<string>): boolean {
  return [...zones].some((zone) => {
    const [, month, day] = calendarDate(instant, zone).split('-').map(Number);
    const place = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
    const words = ` ${day} ${MONTHS[(month ?? 1) - 1]}(?: \\d{4})?, ${timeOfDay(instant, zone)} \\((?:${place}|${zone})`;
    return new RegExp(words).test(text);
  });
}

function isNear(at: number, instant: number, ms: number): boolean {
  return Math.abs(at - instant) < ms;
}
