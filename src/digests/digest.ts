import { z } from 'zod';
import type { DigestRow } from './sql/digests.ts';

const DIGEST_KINDS = ['daily', 'weekly'] as const;
type DigestKind = (typeof DIGEST_KINDS)[number];

/** Why one does not come any more until somebody resumes it. */
const PAUSES = [
  'asked',
  'archived',
  'not-in-channel',
  'restricted',
  'no-access',
  'uninstalled',
  'shared',
  'project-gone',
] as const;
export type PausedWhy = (typeof PAUSES)[number];

/** What its maker decides. */
export interface DigestSettings {
  workspace: string;
  /** Of a personal one the person's id. */
  channel: string;
  kind: DigestKind;
  /** Ids in the service; `channel`: whatever the channel is about at the time. */
  projects: 'channel' | readonly string[];
  /** ISO weekdays, 1 is Monday and 7 Sunday; in order, each once. */
  days: readonly number[];
  time: { hour: number; minute: number };
  /** IANA name. */
  zone: string;
  /** JSON of whoever composes it. */
  shows: unknown;
  silentWhenEmpty: boolean;
  /**
   * Slack's ids of the organisations that an owner lets read it: those that they were told of, which may be none where
   * Slack named none. Null where nobody was asked.
   */
  sharedWith: readonly string[] | null;
}

export interface Digest extends DigestSettings {
  id: string;
  /** Who made it, and is told of it. */
  owner: string;
  state: 'on' | 'paused';
  pausedWhy?: PausedWhy;
  /** The local date that is meant, and its moment; absent while it is paused. */
  next?: { date: string; instant: Date };
}

const days = z.string().transform((text) => text.split(',').map(Number));
const json = z.string().transform((text): unknown => JSON.parse(text));
const ids = json.pipe(z.array(z.string()));

export function digestFrom(row: DigestRow): Digest {
  const pausedWhy = PAUSES.find((reason) => reason === row.paused_why);
  return {
    id: row.id,
    workspace: row.workspace,
    channel: row.channel,
    kind: z.enum(DIGEST_KINDS).parse(row.kind),
    projects: row.projects === null ? 'channel' : ids.parse(row.projects),
    days: days.parse(row.days),
    time: { hour: Math.floor(row.minute / 60), minute: row.minute % 60 },
    zone: row.zone,
    shows: json.parse(row.shows),
    silentWhenEmpty: row.silent_when_empty,
    sharedWith: row.shared_with === null ? null : ids.parse(row.shared_with),
    owner: row.owner,
    state: row.state === 'on' ? 'on' : 'paused',
    ...(pausedWhy && { pausedWhy }),
    ...(row.next_at && row.next_date !== null && { next: { date: row.next_date, instant: row.next_at } }),
  };
}

/** The columns of what its maker decides. */
export function columnsOf(settings: DigestSettings) {
  const { hour, minute } = settings.time;
  return {
    workspace: settings.workspace,
    channel: settings.channel,
    kind: settings.kind,
    projects: settings.projects === 'channel' ? null : JSON.stringify(settings.projects),
    days: settings.days.join(','),
    minute: hour * 60 + minute,
    zone: settings.zone,
    shows: JSON.stringify(settings.shows ?? null),
    silent_when_empty: settings.silentWhenEmpty,
    shared_with: settings.sharedWith && JSON.stringify(settings.sharedWith),
  };
}

/** The digest as somebody was allowed to change it: once it is about something else, it is not there for them. */
export function asAllowed({ workspace, id, ...digest }: Digest) {
  const { channel, projects } = columnsOf({ workspace, ...digest });
  return { workspace, id, about: { channel, projects } };
}

/** Whether an owner lets all of these read it; of outsiders that Slack doesn't name, whether they were asked so. */
export function isSharedWith(
  { sharedWith }: Pick<Digest, 'sharedWith'>,
  outsiders: readonly string[],
): boolean {
  if (!sharedWith) return false;
  return outsiders.length > 0 ? outsiders.every((id) => sharedWith.includes(id)) : sharedWith.length === 0;
}

/** To a person, by direct message. */
export function isPersonal({ channel }: Pick<Digest, 'channel'>): boolean {
  return /^[UW]/.test(channel);
}
