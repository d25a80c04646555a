import { calendarDate, datesBetween, timeOfDay } from './digest-calendar.ts';
import type { SentMessage } from './digest-slack.ts';

/**
 * Checks messages against the settings and the clock alone. Every slot that passed while its digest was on must have
 * exactly one outcome: its message (or the line that the service didn't answer), a notice that it was missed, a pause
 * with a notice, or nothing if the date is silent.
 */

export interface Rule {
  days: readonly number[];
  minute: number;
  zone: string;
}

/** An event of a digest. `at` is its position in the order of all events, `now` the time on the clock that people see (ms). */
export type DigestEvent =
  | { at: number; now: number; kind: 'set'; rule: Rule }
  | { at: number; now: number; kind: 'paused'; by: 'owner' | 'itself' }
  | { at: number; now: number; kind: 'resumed' }
  | { at: number; now: number; kind: 'removed' };

export interface DigestHistory {
  id: string;
  channel: string;
  owner: string;
  eventLog: readonly DigestEvent[];
  /** Dates whose message the owner had sent again, and when (ms). */
  resendRequests?: readonly { date: string; now: number }[];
}

/** A change of the clock that people see (ms). */
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
  /** The delays of messages that were neither late nor requested (ms). */
  delays: number[];
  faults: string[];
}

interface DueSlot {
  date: string;
  instant: number;
  zone: string;
  /** The next pause of its digest, which may have prevented the message. */
  pausedAt: number | undefined;
}

const HOUR = 60 * 60 * 1000;
/** How far a "No digest" line may be from its slot: the same day, or days before it if the clock was set back. */
const LINE_MS = 4 * 24 * HOUR;
/** A pause this soon after the slot, or after the owner's request, explains a missing message. */
const PAUSE_MS = 3 * 24 * HOUR;
/** How late a notice may come: an instance has to be running again. */
const NOTICE_MS = 12 * 24 * HOUR;

export function checkDigests(input: {
  digests: readonly DigestHistory[];
  jumps: readonly Jump[];
  end: { at: number; now: number };
  messages: readonly SentMessage[];
  isSilent: (digest: string, date: string) => boolean;
}): Verdict {
  const verdict: Verdict = {
    ...{ expected: 0, posted: 0, late: 0, lines: 0, missed: 0, silent: 0, paused: 0 },
    ...{ delays: [], faults: [] },
  };
  const main = Map.groupBy(
    input.messages.filter(({ text }) => text.startsWith('digest ')),
    ({ text }) => text.split(',')[0] ?? '',
  );
  const lines = Map.groupBy(
    input.messages.filter(({ text }) => text.startsWith('No digest for ')),
    ({ channel }) => channel,
  );
  const notices = Map.groupBy(
    input.messages.filter(({ channel }) => channel.startsWith('D')),
    ({ channel }) => channel,
  );
  const namesOf = Map.groupBy(main.keys(), (name) => name.split(' ')[1]);
  for (const digest of input.digests) {
    const dueSlots = findDueSlots(digest, input.jumps, input.end);
    const about = (notices.get(digest.owner.replace(/^U/, 'D')) ?? []).filter(({ text }) =>
      text.includes(`<#${digest.channel}>`),
    );
    const zones = new Set(digest.eventLog.flatMap((one) => (one.kind === 'set' ? [one.rule.zone] : [])));
    const unnamed = createUnnamedDates(about);
    const expectedNames = new Set<string>();
    for (const one of dueSlots) {
      verdict.expected += 1;
      const name = `digest ${digest.id} for ${one.date}`;
      expectedNames.add(name);
      const outcomes: string[] = [];
      const messages = main.get(name) ?? [];
      for (const message of messages) {
        outcomes.push('posted');
        if (message.text.includes(', late')) verdict.late += 1;
        else if (!message.text.includes(', asked')) verdict.delays.push(message.at - one.instant);
      }
      const line = (lines.get(digest.channel) ?? []).filter(
        ({ text, at }) => isNear(at, one.instant, LINE_MS) && namesSlot(text, one, zones),
      );
      outcomes.push(...line.map(() => 'lines'));
      const isMissed = about.some(
        ({ text, at }) =>
          text.startsWith('Not posted') && isNear(at, one.instant, NOTICE_MS) && namesSlot(text, one, zones),
      );
      if (isMissed) outcomes.push('missed');
      if (outcomes.length === 0 && input.isSilent(digest.id, one.date)) outcomes.push('silent');
      const isPaused = isPausedAt(one) || isPausedWhenSentAgain(digest, one.date);
      if (outcomes.length === 0 && isPaused) outcomes.push('paused');
      // Checked last, because a notice only counts dates that have no other outcome.
      if (outcomes.length === 0 && unnamed.take(one.instant)) outcomes.push('missed');
      if (outcomes.length !== 1)
        verdict.faults.push(`${name} (${digest.channel}): ${outcomes.join(' and ') || 'nothing'}`);
      for (const outcome of outcomes) count(verdict, outcome);
    }
    for (const [place, event] of digest.eventLog.entries()) {
      // An owner who removes the digest right then isn't notified of the pause.
      const isRemoved = digest.eventLog[place + 1]?.kind === 'removed';
      const needsNotice = event.kind === 'paused' && event.by === 'itself' && !isRemoved;
      const hasNotice = about.some(
        ({ text, at }) => isNear(at, event.now, NOTICE_MS) && text.includes('paused'),
      );
      if (needsNotice && !hasNotice) {
        verdict.faults.push(`digest ${digest.id} is paused without a notice`);
      }
    }
    for (const name of namesOf.get(digest.id) ?? []) {
      if (!expectedNames.has(name)) verdict.faults.push(`${name}: never came`);
    }
  }
  return verdict;
}

/** The dates that notices only count: a notice names five dates of a digest and the number of others. */
function createUnnamedDates(about: readonly SentMessage[]) {
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

function count(verdict: Verdict, outcome: string): void {
  if (
    outcome === 'posted' ||
    outcome === 'lines' ||
    outcome === 'missed' ||
    outcome === 'paused' ||
    outcome === 'silent'
  )
    verdict[outcome] += 1;
}

/** Whether the digest was paused soon after the slot, which explains a missing message. */
function isPausedAt({ instant, pausedAt }: DueSlot): boolean {
  return pausedAt !== undefined && pausedAt >= instant && pausedAt - instant < PAUSE_MS;
}

/** Whether the digest was paused by the time its owner had the message sent again, or soon after. */
function isPausedWhenSentAgain({ eventLog, resendRequests = [] }: DigestHistory, date: string): boolean {
  const ends = (place: number) =>
    eventLog.slice(place).find(({ kind }) => kind === 'resumed' || kind === 'set')?.now;
  return resendRequests.some(
    (request) =>
      request.date === date &&
      eventLog.some(
        ({ kind, now }, place) =>
          (kind === 'paused' || kind === 'removed') &&
          now - request.now < PAUSE_MS &&
          (ends(place) ?? Number.POSITIVE_INFINITY) > request.now,
      ),
  );
}

/** All slots that passed while the digest was on, each date once. */
function findDueSlots(
  digest: DigestHistory,
  jumps: readonly Jump[],
  end: { at: number; now: number },
): DueSlot[] {
  const clockJumps = jumps.map(({ at, from, to }) => ({ at, now: from, jumpTo: to }));
  const events = [...digest.eventLog, ...clockJumps, { ...end, kind: 'end' as const }].toSorted(
    (a, b) => a.at - b.at,
  );
  const dueSlots = new Map<string, DueSlot>();
  let rule: Rule | undefined;
  let isOn = false;
  let since = 0;
  for (const event of events) {
    if (isOn && rule && event.now > since) {
      for (const { date, instant } of datesBetween(rule, since, event.now)) {
        if (dueSlots.has(date)) continue;
        dueSlots.set(date, { date, instant, zone: rule.zone, pausedAt: undefined });
      }
    }
    if ('kind' in event && (event.kind === 'paused' || event.kind === 'removed')) {
      for (const one of dueSlots.values()) one.pausedAt ??= event.now;
    }
    since = event.now;
    if ('jumpTo' in event) {
      // A jump forwards passes the slots in between; a jump back passes none.
      if (event.jumpTo > event.now && isOn && rule) {
        for (const { date, instant } of datesBetween(rule, event.now, event.jumpTo)) {
          if (!dueSlots.has(date))
            dueSlots.set(date, { date, instant, zone: rule.zone, pausedAt: undefined });
        }
      }
      since = event.jumpTo;
    } else if (event.kind === 'set') {
      rule = event.rule;
      isOn = true;
    } else if (event.kind === 'resumed') isOn = true;
    else isOn = false;
  }
  return [...dueSlots.values()];
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Whether a notice names the slot, in any zone that its digest had: "Sun 29 Mar, 03:30 (Berlin)". */
function namesSlot(text: string, { instant }: DueSlot, zones: ReadonlySet<string>): boolean {
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
