import { z } from 'zod';
import type { DigestRow } from '../store/digests.ts';

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
  /** Its maker knows that the channel is shared with another organisation. */
  sharedKnown: boolean;
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
const projects = json.pipe(z.array(z.string()));

export function digestFrom(row: DigestRow): Digest {
  const pausedWhy = PAUSES.find((why) => why === row.paused_why);
  return {
    id: row.id,
    workspace: row.workspace,
    channel: row.channel,
    kind: z.enum(DIGEST_KINDS).parse(row.kind),
    projects: row.projects === null ? 'channel' : projects.parse(row.projects),
    days: days.parse(row.days),
    time: { hour: Math.floor(row.minute / 60), minute: row.minute % 60 },
    zone: row.zone,
    shows: json.parse(row.shows),
    silentWhenEmpty: row.silent_when_empty,
    sharedKnown: row.shared_known,
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
    shared_known: settings.sharedKnown,
  };
}

/** The digest as somebody was allowed to change it: once it is about something else, it is not there for them. */
export function asAllowed({ workspace, id, ...digest }: Digest) {
  const { channel, projects } = columnsOf({ workspace, ...digest });
  return { workspace, id, about: { channel, projects } };
}

/** To a person, by direct message. */
export function isPersonal({ channel }: Pick<Digest, 'channel'>): boolean {
  return /^[UW]/.test(channel);
}
