import type { WebClient } from '@slack/web-api';
import type { Kysely } from 'kysely';
import type { Encryption, Permission } from '../access/access.ts';
import type { ApiClient } from '../api/client.ts';
import { listAllPosts, type PostList } from '../api/list-all-posts.ts';
import { createListCache, LIST_LIMITS, MIB } from '../api/list-cache.ts';
import type { OutcomeDetails } from '../api/outcome.ts';
import { listProjects, type Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { MINUTE_MS } from '../durations.ts';
import type { Clock } from '../engine/clock.ts';
import type { Engine, Registered } from '../engine/engine.ts';
import type { Exclusions } from '../engine/exclusions.ts';
import type { Actor } from '../slack/actor.ts';
import type { Guests } from '../slack/audience.ts';
import type { Log } from '../slack/log.ts';
import type { Message } from '../slack/message.ts';
import { type Digest, isPersonal } from './digest.ts';
import type { DigestTables, OccurrenceRow, SendState, State } from './occurrence.ts';
import type { DigestPace } from './pace.ts';
import type { Picture } from './send-message.ts';
import type { SendingLimits } from './sending-limits.ts';
import type { SharedChannels } from './shared-channels.ts';

export interface DigestsOptions {
  db: Kysely<DigestTables>;
  encryption: Encryption;
  compose: Composer;
  /** Whether the reader of a personal digest may still see a project. */
  checkReadPermission(actor: Actor, project: string): Promise<Permission>;
  /** Finds guests in a channel whom the project's policy keeps out. 'no' also if it keeps out nobody. Never rejects. */
  findExcludedGuests(
    client: WebClient,
    place: { workspace: string; channel: string; project: string },
  ): Promise<Guests>;
  pace?: DigestPace;
  log: Log;
  clock: Clock;
  engine: Engine;
  /** Finds the client of a workspace's scheduling service, or of a project's. Undefined if none is connected. */
  findApiClient(workspace: string, project?: string): Promise<ApiClient | undefined>;
  /**
   * Finds the workspace's Slack client for digests. Digests have a client of their own, so its rate limit delays no
   * other calls. Undefined if the app isn't installed, and `unknown` if that couldn't be checked.
   */
  findSlackClient(workspace: string): Promise<WebClient | 'unknown' | undefined>;
  /** Lists people who manage a project, or else the workspace, in place of a digest's owner. Undefined if unknown. */
  findManagers(workspace: string, project: string | undefined): Promise<readonly string[] | undefined>;
  fetch?: typeof fetch;
  /** Whether other instances send the digests, and this one only stores their settings. Defaults to false. */
  isIdle?: boolean;
}

/** The shared state and the clients of all digests of an instance. The lifecycle is in `occurrence.ts`. */
export interface DigestContext extends Required<Omit<DigestsOptions, 'engine' | 'isIdle'>> {
  verbs: Registered<State, SendState, OccurrenceRow>;
  limits: SendingLimits;
  /** The limits for uploads of pictures. An upload is a message in a channel of its own. */
  uploads: SendingLimits;
  sharedChannels: SharedChannels;
  /** When Slack accepts the next search of a channel's history after a rate limit, by workspace (ms since 1970). */
  searchBlockedUntil: Map<string, number>;
  /** When Slack first and last returned `account_inactive` for the bot, by workspace (ms since 1970). */
  inactiveAccounts: Map<string, { firstAt: number; lastAt: number }>;
  exclusions: Exclusions;
  createReads(api: ApiClient): DigestReads;
  /** Whether what stood still is to be looked at, because this instance has started. */
  startup: { isDue: boolean };
}

/** Finds guests among the readers of a digest whom the policy of one of its projects keeps out. */
export async function findExcludedGuests(
  context: Pick<DigestContext, 'findExcludedGuests'>,
  { row, client }: { row: OccurrenceRow; client: WebClient },
  projects: readonly string[] = [],
): Promise<Guests> {
  if (isPersonal(row)) return 'no';
  const { workspace, channel } = row;
  const found = await Promise.all(
    projects.map((project) => context.findExcludedGuests(client, { workspace, channel, project })),
  );
  return found.find((guests) => guests === 'yes') ?? found.find((guests) => guests !== 'no') ?? 'no';
}

export interface ComposeRequest {
  now: Date;
  due: Date;
  /** The scheduled date in the digest's zone: 2026-12-01. */
  date: string;
  /** The scheduled moment if the message is noticeably late. The message then mentions the delay. */
  delayedFrom?: Date;
  /** Whether a person requested the digest outside its schedule. */
  isRequested: boolean;
  /** Ids of the projects in the service. */
  projects: readonly string[];
  reads: DigestReads;
  /** How the service has failed, so that only the posts that Upnext keeps can be shown. */
  failure?: ServiceOutage;
}

type ServiceOutage = Exclude<OutcomeDetails<unknown>, { kind: 'done' }>;

export type ComposedMessage = Message & {
  /** Details, which are sent to the message's thread. */
  thread?: readonly Message[];
  /** The ids of the projects whose posts the message and its thread show. */
  projects?: readonly string[];
  picture?: Picture;
  /** Stored, and passed to the composer with the digest's next occurrence. At most 64 kB. */
  snapshot?: string;
};

/**
 * `gone`: a project of the digest was deleted. `failed`: the service didn't return the posts. `not-checked`: Upnext
 * couldn't check which projects the digest's recipients may see. `failed` and `not-checked` are retried for a limited
 * time.
 */
export type ComposeResult =
  | ({ kind: 'message' } & ComposedMessage)
  | { kind: 'silent'; snapshot?: string }
  | { kind: 'gone'; project: string }
  | { kind: 'not-checked' }
  | { kind: 'failed'; outcome: ServiceOutage };

/** Composes a digest from the service's data, without side effects. */
export type Composer = (digest: Digest, request: ComposeRequest) => Promise<ComposeResult>;

export type DigestReads = ReturnType<ReturnType<typeof createDigestReader>>;

/** Maximum number of posts of a project. A digest lists far fewer. */
const MAX_POSTS = 1_000;
/** How long a read is cached, and a failed one. */
const MAX_AGES = { maxAgeMs: MINUTE_MS, maxFailureAgeMs: 5_000 };
/** The largest read has 1,000 posts of about 1,000 characters each. `maxClientBytes` holds three such reads. */
const POSTS_LIMITS = { maxBytes: 64 * MIB, maxClientBytes: 8 * MIB };

/**
 * Creates the cached reads of a service for all digests of an instance. `now` in ms. Digests that are due in the same
 * minute share a read if they request the same dates, so the caller should choose dates that don't depend on a digest's
 * zone.
 */
export function createDigestReader(now: () => number) {
  const posts = createListCache<PostList>({ now, ...MAX_AGES, ...POSTS_LIMITS });
  const projects = createListCache<Records<Project>>({ now, ...MAX_AGES, ...LIST_LIMITS });
  return (api: ApiClient) => ({
    /** Posts of any status whose ScheduleDate lies between both bounds, inclusive. */
    listPosts: ({ project, from, to }: { project: string; from: Date; to: Date }) =>
      posts.read(api, `${project} ${from.toISOString()} ${to.toISOString()}`, () =>
        listAllPosts(
          api,
          { projectId: project, scheduledFrom: from, scheduledTo: to },
          { maxPosts: MAX_POSTS },
        ),
      ),
    listProjects: () => projects.read(api, '', () => listProjects(api)),
  });
}
