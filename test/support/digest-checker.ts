import { formatDate, formatTime, listSlots } from './digest-calendar.ts';
import type { SentMessage } from './digest-slack.ts';

/**
 * Checks the messages of digests, using only the settings and the clock. Every slot that passed while its digest was on
 * must have exactly one outcome: a message, a line that says that the service didn't answer, a notice that the digest
 * was missed, a pause with a notice, or nothing if the date is silent.
 */

export interface Rule {
  days: readonly number[];
  minute: number;
  zone: string;
}

/**
 * An event of a digest. `at` is its position among all events, `now` the time on the clock that people see (ms).
 * `by` says whether the owner or Upnext paused the digest.
 */
export type DigestEvent =
  | { at: number; now: number; kind: 'set'; rule: Rule }
  | { at: number; now: number; kind: 'paused'; by: 'owner' | 'app' }
  | { at: number; now: number; kind: 'resumed' }
  | { at: number; now: number; kind: 'removed' };

export interface DigestHistory {
  id: string;
  channel: string;
  owner: string;
  eventLog: readonly DigestEvent[];
  /** The requests of the owner to send the message of a date again, with their times (ms). */
  resendRequests?: readonly { date: string; now: number }[];
}

/** A change of the clock that people see (ms). */
export interface Jump {
  at: number;
  from: number;
  to: number;
}

/** The numbers of dates by outcome, the delays, and the faults. */
export interface Verdict {
  /** All dates that were due. */
  expected: number;
  sent: number;
  /** Sent messages that are marked as late. */
  late: number;
  /** Dates with a line that the service didn't answer. */
  outageLines: number;
  missed: number;
  silent: number;
  paused: number;
  /** The delays of messages that were neither marked as late nor requested (ms). */
  delays: number[];
  faults: string[];
}

interface DueSlot {
  date: string;
  instant: number;
  zone: string;
  /** The next pause of the digest (ms), which may have prevented the message. Undefined if there is none. */
  pausedAt: number | undefined;
}

const HOUR = 60 * 60 * 1000;
/** Maximum distance of a "No digest" line from its slot. It may be days earlier if the clock was set back. */
const MAX_LINE_DISTANCE_MS = 4 * 24 * HOUR;
/** A pause within this time after the slot or the owner's request explains a missing message. */
const MAX_PAUSE_DELAY_MS = 3 * 24 * HOUR;
/** Maximum delay of a notice. It is long, because no instance may be running. */
const MAX_NOTICE_DELAY_MS = 12 * 24 * HOUR;

export function checkDigests(input: {
  digests: readonly DigestHistory[];
  jumps: readonly Jump[];
  end: { at: number; now: number };
  messages: readonly SentMessage[];
  isSilent: (digest: string, date: string) => boolean;
}): Verdict {
  const verdict: Verdict = {
    expected: 0,
    sent: 0,
    late: 0,
    outageLines: 0,
    missed: 0,
    silent: 0,
    paused: 0,
    delays: [],
    faults: [],
  };
  const messagesByName = Map.groupBy(
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
  const namesByDigest = Map.groupBy(messagesByName.keys(), (name) => name.split(' ')[1]);
  for (const digest of input.digests) {
    const dueSlots = findDueSlots(digest, input.jumps, input.end);
    const digestNotices = (notices.get(digest.owner.replace(/^U/, 'D')) ?? []).filter(({ text }) =>
      text.includes(`<#${digest.channel}>`),
    );
    const zones = new Set(
      digest.eventLog.flatMap((event) => (event.kind === 'set' ? [event.rule.zone] : [])),
    );
    const unnamedDates = createUnnamedDates(digestNotices);
    const expectedNames = new Set<string>();
    for (const slot of dueSlots) {
      verdict.expected += 1;
      const name = `digest ${digest.id} for ${slot.date}`;
      expectedNames.add(name);
      const outcomes: string[] = [];
      const messages = messagesByName.get(name) ?? [];
      for (const message of messages) {
        outcomes.push('sent');
        if (message.text.includes(', late')) verdict.late += 1;
        else if (!message.text.includes(', asked')) verdict.delays.push(message.at - slot.instant);
      }
      const slotLines = (lines.get(digest.channel) ?? []).filter(
        ({ text, at }) => isNear(at, slot.instant, MAX_LINE_DISTANCE_MS) && namesSlot(text, slot, zones),
      );
      outcomes.push(...slotLines.map(() => 'outageLines'));
      const isMissed = digestNotices.some(
        ({ text, at }) =>
          text.startsWith('Not sent') &&
          isNear(at, slot.instant, MAX_NOTICE_DELAY_MS) &&
          namesSlot(text, slot, zones),
      );
      if (isMissed) outcomes.push('missed');
      if (outcomes.length === 0 && input.isSilent(digest.id, slot.date)) outcomes.push('silent');
      const isPaused = isPausedAfter(slot) || isPausedAfterResendRequest(digest, slot.date);
      if (outcomes.length === 0 && isPaused) outcomes.push('paused');
      // Checked last, because a notice counts only dates without another outcome.
      if (outcomes.length === 0 && unnamedDates.take(slot.instant)) outcomes.push('missed');
      if (outcomes.length !== 1)
        verdict.faults.push(`${name} (${digest.channel}): ${outcomes.join(' and ') || 'nothing'}`);
      for (const outcome of outcomes) countOutcome(verdict, outcome);
    }
    for (const [index, event] of digest.eventLog.entries()) {
      // If the owner removed the digest next, no notice of the pause is needed.
      const isRemoved = digest.eventLog[index + 1]?.kind === 'removed';
      const needsNotice = event.kind === 'paused' && event.by === 'app' && !isRemoved;
      const hasNotice = digestNotices.some(
        ({ text, at }) => isNear(at, event.now, MAX_NOTICE_DELAY_MS) && text.includes('paused'),
      );
      if (needsNotice && !hasNotice) {
        verdict.faults.push(`digest ${digest.id} is paused without a notice`);
      }
    }
    for (const name of namesByDigest.get(digest.id) ?? []) {
      if (!expectedNames.has(name)) verdict.faults.push(`${name}: was not due`);
    }
  }
  return verdict;
}

/** Counts the dates that notices don't name. A notice names five dates of a digest, and the number of other dates. */
function createUnnamedDates(digestNotices: readonly SentMessage[]) {
  const remaining = digestNotices
    .filter(({ text }) => text.startsWith('Not sent'))
    .map(({ text, at }) => ({ at, count: Number(/; (\d+) more$/m.exec(text)?.[1] ?? 0) }));
  return {
    /** Takes one date of a notice near this instant. Returns false if there is none. */
    take(instant: number): boolean {
      const notice = remaining.find(({ at, count }) => count > 0 && isNear(at, instant, MAX_NOTICE_DELAY_MS));
      if (notice) notice.count -= 1;
      return notice !== undefined;
    },
  };
}

function countOutcome(verdict: Verdict, outcome: string): void {
  if (
    outcome === 'sent' ||
    outcome === 'outageLines' ||
    outcome === 'missed' ||
    outcome === 'paused' ||
    outcome === 'silent'
  )
    verdict[outcome] += 1;
}

/** Whether the digest was paused soon after the slot, which explains a missing message. */
function isPausedAfter({ instant, pausedAt }: DueSlot): boolean {
  return pausedAt !== undefined && pausedAt >= instant && pausedAt - instant < MAX_PAUSE_DELAY_MS;
}

/** Whether the digest was paused when its owner requested the message of this date again, or soon after. */
function isPausedAfterResendRequest({ eventLog, resendRequests = [] }: DigestHistory, date: string): boolean {
  const findEnd = (index: number) =>
    eventLog.slice(index).find(({ kind }) => kind === 'resumed' || kind === 'set')?.now;
  return resendRequests.some(
    (request) =>
      request.date === date &&
      eventLog.some(
        ({ kind, now }, index) =>
          (kind === 'paused' || kind === 'removed') &&
          now - request.now < MAX_PAUSE_DELAY_MS &&
          (findEnd(index) ?? Number.POSITIVE_INFINITY) > request.now,
      ),
  );
}

/** Finds all slots that passed while the digest was on, each date once. */
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
      for (const { date, instant } of listSlots(rule, since, event.now)) {
        if (dueSlots.has(date)) continue;
        dueSlots.set(date, { date, instant, zone: rule.zone, pausedAt: undefined });
      }
    }
    if ('kind' in event && (event.kind === 'paused' || event.kind === 'removed')) {
      for (const slot of dueSlots.values()) slot.pausedAt ??= event.now;
    }
    since = event.now;
    if ('jumpTo' in event) {
      // A jump forwards passes the slots in between. A jump backwards passes none.
      if (event.jumpTo > event.now && isOn && rule) {
        for (const { date, instant } of listSlots(rule, event.now, event.jumpTo)) {
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

/** Whether a notice names the slot in any zone of its digest, such as "Sun 29 Mar, 03:30 (Berlin)". */
function namesSlot(text: string, { instant }: DueSlot, zones: ReadonlySet<string>): boolean {
  return [...zones].some((zone) => {
    const [, month, day] = formatDate(instant, zone).split('-').map(Number);
    const place = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;
    const pattern = ` ${day} ${MONTHS[(month ?? 1) - 1]}(?: \\d{4})?, ${formatTime(instant, zone)} \\((?:${place}|${zone})`;
    return new RegExp(pattern).test(text);
  });
}

function isNear(at: number, instant: number, ms: number): boolean {
  return Math.abs(at - instant) < ms;
}
