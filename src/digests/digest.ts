import { z } from 'zod';
import type { Exclusions } from '../engine/exclusions.ts';
import { isPersonId } from '../slack/actor.ts';
import { areConfirmed } from '../slack/audience.ts';
import { nextOccurrence, type Recurrence } from '../when/recurrence.ts';
import { wallClockAt } from '../when/zones.ts';
import type { DigestRow } from './occurrence.ts';
import type { DigestPace } from './pace.ts';

const DIGEST_KINDS = ['daily', 'weekly'] as const;

/**
 * The reasons why a digest is paused until somebody resumes it. `requested` (a person paused it), `shared`, `guests` and
 * `project-gone` pause single digests, `no-access` and `uninstalled` all of a workspace, the others all of a channel.
 */
const PAUSE_REASONS = [
  'requested',
  'archived',
  'not-in-channel',
  'restricted',
  'no-access',
  'uninstalled',
  'shared',
  'guests',
  'project-gone',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];
/** The reasons why an occurrence can't be delivered. */
export type UndeliverableReason = Exclude<PauseReason, 'requested' | 'shared' | 'uninstalled'>;

export interface DigestSettings {
  workspace: string;
  /** Channel id, or the user id of the reader of a personal digest. */
  channel: string;
  kind: (typeof DIGEST_KINDS)[number];
  /** Project ids in the service. `channel`: the projects that the channel is bound to when the digest is composed. */
  projects: 'channel' | readonly string[];
  /** ISO weekdays (1 is Monday, 7 is Sunday), ascending and distinct. */
  days: readonly number[];
  time: { hour: number; minute: number };
  /** IANA name. */
  zone: string;
  /** In the order in which they are shown. */
  sections: readonly Section[];
  isSilentWhenEmpty: boolean;
  /**
   * Ids of the other Slack organisations that an owner allowed to read the digest. Empty if Slack named no organisation
   * and an owner allowed it. Null if no owner has decided.
   */
  sharedWith: readonly string[] | null;
}

export interface Digest extends DigestSettings {
  id: string;
  /** User id of the person who created the digest, and who is notified about it. */
  owner: string;
  state: 'on' | 'paused';
  pauseReason?: PauseReason;
  /** The next scheduled date in the digest's zone, and its instant; absent while paused. */
  nextSlot?: Slot;
  lastSentAt?: Date;
  /** The `snapshot` that the composer returned with the digest's last message. */
  snapshot?: string;
}

const weekdayList = z.string().transform((text) => text.split(',').map(Number));
const json = z.string().transform((text): unknown => JSON.parse(text));
const idList = json.pipe(z.array(z.string()));

export function parseDigest(row: DigestRow): Digest {
  const pauseReason = PAUSE_REASONS.find((reason) => reason === row.pause_reason);
  return {
    id: row.id,
    workspace: row.workspace,
    channel: row.channel,
    kind: z.enum(DIGEST_KINDS).parse(row.kind),
    projects: row.projects === null ? 'channel' : idList.parse(row.projects),
    days: weekdayList.parse(row.days),
    time: toTime(row.minute),
    zone: row.zone,
    sections: parseSections(json.parse(row.sections)),
    isSilentWhenEmpty: row.silent_when_empty,
    sharedWith: row.shared_with === null ? null : idList.parse(row.shared_with),
    owner: row.owner,
    state: row.state === 'on' ? 'on' : 'paused',
    ...(pauseReason && { pauseReason }),
    ...(row.next_at && row.next_date !== null && { nextSlot: { date: row.next_date, instant: row.next_at } }),
    ...(row.sent_at && { lastSentAt: row.sent_at }),
    ...(row.snapshot !== null && { snapshot: row.snapshot }),
  };
}

/** Converts minutes since midnight to a time of day. */
export function toTime(minutes: number): DigestSettings['time'] {
  return { hour: Math.floor(minutes / 60), minute: minutes % 60 };
}

/** Formats a time of day: "08:30". */
export function formatTime({ hour, minute }: DigestSettings['time']): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Parses a stored digest. If this version can't read the row, excludes the row from claims and returns undefined. */
export function readDigest({ exclusions }: { exclusions: Exclusions }, row: DigestRow): Digest | undefined {
  try {
    return parseDigest(row);
  } catch (error) {
    exclusions.exclude(row.id, error);
    return undefined;
  }
}

export function toColumns(settings: DigestSettings) {
  const { hour, minute } = settings.time;
  return {
    workspace: settings.workspace,
    channel: settings.channel,
    kind: settings.kind,
    projects: settings.projects === 'channel' ? null : JSON.stringify(settings.projects),
    days: settings.days.join(','),
    minute: hour * 60 + minute,
    zone: settings.zone,
    sections: JSON.stringify({ sections: settings.sections }),
    silent_when_empty: settings.isSilentWhenEmpty,
    shared_with: settings.sharedWith && JSON.stringify(settings.sharedWith),
  };
}

export function isPausedByUpnext({ state, pauseReason = 'requested' }: Digest): boolean {
  return state === 'paused' && pauseReason !== 'requested';
}

/**
 * Creates a key that matches the digest only if its channel and projects are unchanged. The actor's permission was
 * checked for these projects, and may not cover others.
 */
export function createKeyWithPrecondition({ workspace, id, ...digest }: Digest) {
  const { channel, projects } = toColumns({ workspace, ...digest });
  return { workspace, id, expected: { channel, projects } };
}

/**
 * Whether an owner allowed all outsiders to read the digest. `outsiders` are ids of organisations; the list is empty if
 * Slack doesn't name them.
 */
export function isSharedWith(
  { sharedWith }: Pick<Digest, 'sharedWith'>,
  outsiders: readonly string[],
): boolean {
  return areConfirmed({ isShared: true, outsiders }, sharedWith);
}

export function isPersonal({ channel }: Pick<Digest, 'channel'>): boolean {
  return isPersonId(channel);
}

export type Schedule = Pick<DigestSettings, 'days' | 'time' | 'zone'>;

/** A schedule as written. Its zone is missing if the words name none. */
export type WrittenSchedule = Omit<Schedule, 'zone'> & { zone?: string };

export function toRecurrence(schedule: Schedule): Recurrence & { zone: string };
export function toRecurrence(schedule: WrittenSchedule): Recurrence;
export function toRecurrence({ days, time, zone }: WrittenSchedule): Recurrence {
  const on = { unit: 'week' as const, weekdays: days };
  return { on, interval: 1, times: [time], ...(zone !== undefined && { zone }) };
}

/** Undefined if a recurrence is anything but days of every week at one time, without an end. */
export function toSchedule(recurrence: Recurrence): WrittenSchedule | undefined {
  const { on, interval, times, zone, start, until, count, except } = recurrence;
  const [time, ...otherTimes] = times;
  const isLimited = [start, until, count, except].some((limit) => limit !== undefined);
  if (on.unit !== 'week' || interval !== 1 || !time || otherTimes.length > 0 || isLimited) return undefined;
  return { days: on.weekdays, time, ...(zone !== undefined && { zone }) };
}

/** A scheduled time: the date in the schedule's zone, and the instant. Of a request, its id stands for the date. */
export interface Slot {
  date: string;
  instant: Date;
}

/** Maximum dates that the search for a free one checks. Never reached: only a few dates ahead have occurrences. */
const MAX_CHECKED_SLOTS = 400;

/** Finds the first slot after `after` whose date isn't in `taken`. Undefined if the schedule has no days. */
export function findFreeSlot(
  schedule: Schedule,
  after: Date,
  taken: ReadonlySet<string> = new Set(),
): Slot | undefined {
  const recurrence = toRecurrence(schedule);
  let slot = nextOccurrence(recurrence, after);
  for (
    let checkedCount = 0;
    slot && taken.has(slot.date) && checkedCount < MAX_CHECKED_SLOTS;
    checkedCount += 1
  ) {
    slot = nextOccurrence(recurrence, slot.instant);
  }
  return slot;
}

/** Converts an instant to the calendar date in the zone: 2026-12-01. */
export function toLocalDate(instant: Date, zone: string): string {
  return new Date(wallClockAt(instant.getTime(), zone)).toISOString().slice(0, 10);
}

/**
 * Whether a message would be too late: more than `tooLateMs` after `dueAt`, or on a later local date than `dueAt`. A
 * later date is accepted within `midnightGraceMs` of `dueAt`.
 */
export function isTooLate(
  pace: Pick<DigestPace, 'tooLateMs' | 'midnightGraceMs'>,
  { dueAt, zone, now }: { dueAt: Date; zone: string; now: Date },
): boolean {
  const delayMs = now.getTime() - dueAt.getTime();
  if (delayMs <= pace.midnightGraceMs) return false;
  return delayMs > pace.tooLateMs || toLocalDate(now, zone) !== toLocalDate(dueAt, zone);
}

/** The sections of a digest, in the order in which they are shown. */
export const SECTIONS = ['next', 'ahead', 'late', 'collisions', 'gaps', 'drafts', 'changes'] as const;
export type Section = (typeof SECTIONS)[number];

/** The names of the sections in the digest's form. At most 75 characters each. */
export const SECTION_NAMES: Readonly<Record<Section, string>> = {
  next: 'The next post',
  ahead: 'Today and the next 36 hours, or the week with a picture',
  late: 'Overdue posts',
  collisions: 'Posts under 30 minutes apart on one platform, or on blackout days',
  gaps: 'Weekdays without a post',
  drafts: 'Drafts due soon',
  changes: 'Changes since the last digest',
};

const storedSections = z.object({ sections: z.array(z.string()) });

/** Parses a digest's stored sections. Defaults to all sections if this version knows none of them. */
function parseSections(stored: unknown): readonly Section[] {
  const sections = selectSections(storedSections.safeParse(stored).data?.sections ?? []);
  return sections.length > 0 ? sections : SECTIONS;
}

/** Selects the sections with these names. Drops unknown names. */
export function selectSections(names: readonly string[]): readonly Section[] {
  return SECTIONS.filter((section) => names.includes(section));
}
