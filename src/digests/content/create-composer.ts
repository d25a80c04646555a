import type { Permission } from '../../access/access.ts';
import { DAY_MS } from '../../durations.ts';
import type { Actor } from '../../slack/actor.ts';
import type { Log } from '../../slack/log.ts';
import { type Digest, isPersonal } from '../digest.ts';
import type { Composer } from '../digest-context.ts';
import { renderNoProjectMessage, renderNoReadableProjectMessage } from '../messages/notices.ts';
import type { Picture } from '../send-message.ts';
import { compareWithSnapshot, listSnapshotProjects, takeSnapshot } from './changes.ts';
import { analyzePlan, DAYS_PER_WEEK, type ProjectSlots } from './findings.ts';
import type { Rasterizer } from './picture/drawing.ts';
import { type HeldPlanReader, knowsAllPosts, type Plan, readPlan } from './plan.ts';
import { isEmptyDigest, renderDigestMessage, renderEmptyDigest } from './text/digest-message.ts';
import type { DigestContent } from './text/notes.ts';
import { drawWeekPicture } from './week-picture.ts';

interface ComposeOptions {
  /** Whether the reader of a personal digest may still see a project. Checked for each message. */
  checkReadPermission(actor: Actor, project: string): Promise<Permission>;
  listStoppedProjects(workspace: string): Promise<readonly { project: string; since: Date }[]>;
  /** Reads the posts that Upnext keeps. */
  readHeldPlan(query: Parameters<HeldPlanReader>[0] & { workspace: string }): ReturnType<HeldPlanReader>;
  /** Reads the slots of a project for the days of a week. */
  readSlots(query: { workspace: string; project: string; until: Date }): Promise<ProjectSlots>;
  log: Log;
  rasterizer?: Rasterizer;
}

export function createComposer(options: ComposeOptions): Composer {
  return async (digest, request) => {
    const last = { sentAt: digest.lastSentAt, projects: listSnapshotProjects(digest.snapshot) };
    const result = await readPlan(request, last, {
      checkReadPermission: createReadCheck(options, digest),
      readHeldPlan: (query) => options.readHeldPlan({ ...query, workspace: digest.workspace }),
    });
    if (result.kind === 'no-project') return { kind: 'message', ...renderNoProjectMessage(digest) };
    if (result.kind === 'none-readable') return { kind: 'message', ...renderNoReadableProjectMessage() };
    if (result.kind !== 'plan') return result;
    const { plan } = result;
    const { kind, zone, sections } = digest;
    const { now, date } = request;
    const needsSlots = sections.some((section) => section === 'gaps' || section === 'collisions');
    const slots = needsSlots ? await readSlots(options, digest, { plan, now }) : undefined;
    const findings = analyzePlan(plan, { kind, zone, date, now, slots });
    const changes = compareWithSnapshot(digest.snapshot, plan, now);
    const stops = await options.listStoppedProjects(digest.workspace);
    const content: DigestContent = {
      ...{ kind, zone, now, date, plan, findings, changes, sections },
      delayedFrom: request.delayedFrom,
      hasSeveralProjects: plan.projects.length > 1,
      stops: stops.flatMap(({ project: id, since }) => {
        const project = plan.projects.find((planned) => planned.id === id);
        return project ? [{ project, since }] : [];
      }),
    };
    const snapshot = takeSnapshot(plan, now);
    const snapshotField = snapshot === undefined ? {} : { snapshot };
    const isEmpty = isEmptyDigest(content);
    const projects = plan.projects.map(({ id }) => id);
    if (isEmpty && request.failure) return { kind: 'failed', outcome: request.failure };
    // Posts that couldn't be read may be in the period.
    if (isEmpty && knowsAllPosts(plan)) {
      const isSilent = digest.isSilentWhenEmpty && !request.isRequested && content.stops.length === 0;
      return isSilent
        ? { kind: 'silent', ...snapshotField }
        : { kind: 'message', ...renderEmptyDigest(content), ...snapshotField, projects };
    }
    const picture = await drawPicture(content, options);
    const message = { ...renderDigestMessage(content), ...snapshotField, projects };
    return { kind: 'message', ...message, ...(picture && { picture }) };
  };
}

/** Reads the slots and blackout days of a plan's projects. */
async function readSlots(
  { readSlots: readOne }: ComposeOptions,
  { workspace }: Pick<Digest, 'workspace'>,
  { plan, now }: { plan: Plan; now: Date },
): Promise<ReadonlyMap<string, ProjectSlots>> {
  const until = new Date(now.getTime() + (DAYS_PER_WEEK + 1) * DAY_MS);
  const entries = plan.projects.map(
    async ({ id: project }) => [project, await readOne({ workspace, project, until })] as const,
  );
  return new Map(await Promise.all(entries));
}

/**
 * Creates the function that checks whether the digest may show a project. A channel's digest may show all of its
 * projects, because the permission was checked when the digest was saved.
 */
function createReadCheck(
  { checkReadPermission }: ComposeOptions,
  digest: Digest,
): (project: string) => Promise<Permission> {
  if (!isPersonal(digest)) return async () => 'yes';
  const actor = { workspace: digest.workspace, user: digest.channel };
  return (project) => checkReadPermission(actor, project);
}

/** Draws the picture of a weekly digest. Undefined if drawing fails, because the text is complete without it. */
async function drawPicture(
  { kind, zone, now, date, plan, sections }: DigestContent,
  { rasterizer, log }: Pick<ComposeOptions, 'rasterizer' | 'log'>,
): Promise<Picture | undefined> {
  // Without the service's posts, days would look free.
  if (kind !== 'weekly' || !sections.includes('ahead') || plan.isServiceDown) return undefined;
  const week = { date, now, zone, includesDrafts: sections.includes('drafts') };
  try {
    return await drawWeekPicture(plan, week, rasterizer);
  } catch (error) {
    log.warn({ err: error }, 'could not draw the picture of a weekly digest');
    return undefined;
  }
}
