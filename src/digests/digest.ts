import { z } from 'zod';
import type { DigestRow } from './sql/digests.ts';

const DIGEST_KINDS = ['daily', 'weekly'] as const;
type DigestKind = (typeof DIGEST_KINDS)[number];

/** Why a digest is paused until somebody resumes it. `asked`: a person paused it. */
const PAUSE_REASONS = [
  'asked',
  'archived',
  'not-in-channel',
  'restricted',
  'no-access',
  'uninstalled',
  'shared',
  'project-gone',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** What a person chooses in the digest's form. */
export interface DigestSettings {
  workspace: string;
  /** Channel id, or the user id of the reader of a personal digest. */
  channel: string;
  kind: DigestKind;
  /** Ids in the service. `channel`: the projects that the channel is bound to when the digest is composed. */
  projects: 'channel' | readonly string[];
  /** ISO weekdays (1 is Monday, 7 is Sunday), ascending and distinct. */
  days: readonly number[];
  time: { hour: number; minute: number };
  /** IANA name. */
  zone: string;
  /** The chosen sections, as JSON that only the composer reads. */
  sections: unknown;
  silentWhenEmpty: boolean;
  /**
   * Ids of the other Slack organisations that an owner allowed to read the digest. Empty if an owner allowed it although
   * Slack named no organisation. Null if no owner was asked.
   */
  sharedWith: readonly string[] | null;
}

export interface Digest extends DigestSettings {
  id: string;
  /** User id of the person who created the digest and is notified about it. */
  owner: string;
  state: 'on' | 'paused';
  pauseReason?: PauseReason;
  /** The next scheduled date in the digest's zone, and its instant; absent while paused. */
  next?: { date: string; instant: Date };
}

const days = z.string().transform((text) => text.split(',').map(Number));
const json = z.string().transform((text): unknown => JSON.parse(text));
const ids = json.pipe(z.array(z.string()));

export function parseDigest(row: DigestRow): Digest {
  const pauseReason = PAUSE_REASONS.find((reason) => reason === row.pause_reason);
  return {
    id: row.id,
    workspace: row.workspace,
    channel: row.channel,
    kind: z.enum(DIGEST_KINDS).parse(row.kind),
    projects: row.projects === null ? 'channel' : ids.parse(row.projects),
    days: days.parse(row.days),
    time: { hour: Math.floor(row.minute / 60), minute: row.minute % 60 },
    zone: row.zone,
    sections: json.parse(row.sections),
    silentWhenEmpty: row.silent_when_empty,
    sharedWith: row.shared_with === null ? null : ids.parse(row.shared_with),
    owner: row.owner,
    state: row.state === 'on' ? 'on' : 'paused',
    ...(pauseReason && { pauseReason }),
    ...(row.next_at && row.next_date !== null && { next: { date: row.next_date, instant: row.next_at } }),
  };
}

/** The settings as columns of the table `digest`. */
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
    sections: JSON.stringify(settings.sections ?? null),
    silent_when_empty: settings.silentWhenEmpty,
    shared_with: settings.sharedWith && JSON.stringify(settings.sharedWith),
  };
}

/**
 * A key that finds the digest only while its channel and projects are unchanged. A person who was allowed to change a
 * digest of these projects may not be allowed to change it for others.
 */
export function createGuardedKey({ workspace, id, ...digest }: Digest) {
  const { channel, projects } = toColumns({ workspace, ...digest });
  return { workspace, id, about: { channel, projects } };
}

/**
 * Whether an owner allowed all of these organisations to read the digest. An empty list stands for organisations that
 * Slack doesn't name.
 */
export function isSharedWith(
  { sharedWith }: Pick<Digest, 'sharedWith'>,
  outsiders: readonly string[],
): boolean {
  if (!sharedWith) return false;
  return outsiders.length > 0 ? outsiders.every((id) => sharedWith.includes(id)) : sharedWith.length === 0;
}

/** Whether the digest goes to one person by direct message. */
export function isPersonal({ channel }: Pick<Digest, 'channel'>): boolean {
  return /^[UW]/.test(channel);
}
