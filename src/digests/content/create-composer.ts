import type { Permission } from '../../access/access.ts';
import { computePostFingerprint } from '../../posts/post-fingerprint.ts';
import type { Actor } from '../../slack/actor.ts';
import type { Log } from '../../slack/log.ts';
import type { ComposedMessage, ComposeRequest, ComposeResult, Composer, Picture } from '../composer.ts';
import { type Digest, isPersonal } from '../digest.ts';
import { compareWithSnapshot, isChange, takeSnapshot } from './changes.ts';
import { analyzePlan, type Findings } from './findings.ts';
import { describeWeek } from './picture/describe-week.ts';
import { createDrawer, type Drawer } from './picture/drawer.ts';
import { buildWeek } from './picture/week.ts';
import { weekSvg } from './picture/week-svg.ts';
import { type Plan, type PlannedPost, readPlan } from './plan.ts';
import { parseSections } from './sections.ts';
import { type DigestContent, digestMessage, nothingPlanned } from './text/digest-message.ts';
import { latePostMessage } from './text/late-post.ts';
import { noProjectMessage, noReadableProjectMessage } from './text/no-project.ts';

interface ComposeOptions {
  /** The author of a post, found by the id that the service gave it or by its fingerprint. */
  authorOf(wanted: {
    workspace: string;
    kind: string;
    result?: string | undefined;
    equal?: { project: string; fingerprint: string } | undefined;
  }): Promise<string | undefined>;
  /** Whether the reader of a personal digest may still see a project. Checked each time. */
  mayRead(actor: Actor, project: string): Promise<Permission>;
  /** The service is the emulator, which publishes nothing. */
  practice: boolean;
  log: Log;
  drawer?: Drawer;
}

/** The submission kind of posts. */
const POST = 'post';
/** Direct messages about late posts. More late posts than this have a common cause. */
const MAX_DIRECT_MESSAGES = 20;

/** Composes digests from what the service lists. */
export function createComposer({ drawer = createDrawer(), ...options }: ComposeOptions): Composer {
  return async (digest, request) => {
    const read = await readPlan(request, readable(options, digest));
    if (read.kind === 'no-project') return { kind: 'message', ...noProjectMessage(digest) };
    if (read.kind === 'none-readable') return { kind: 'message', ...noReadableProjectMessage() };
    if (read.kind !== 'plan') return read;
    const { plan } = read;
    const { now, date } = request;
    const findings = analyzePlan(plan, { kind: digest.kind, zone: digest.zone, date, now });
    const changes = compareWithSnapshot(request.snapshot, plan, now);
    const sections = parseSections(digest.sections);
    const content: DigestContent = {
      digest,
      request,
      plan,
      findings,
      changes,
      sections,
      practice: options.practice,
    };
    const snapshot = takeSnapshot(plan, now);
    const stored = snapshot === undefined ? {} : { snapshot };
    if (isNothing(content)) {
      const isSilent = digest.silentWhenEmpty && !request.asked;
      return isSilent ? { kind: 'silent', ...stored } : message(nothingPlanned(content), stored);
    }
    const direct = sections.includes('late') ? await directsOf(options, digest, findings, now) : [];
    const picture = await pictureOf(content, drawer, options.log);
    return message(digestMessage(content), {
      ...stored,
      ...(picture && { picture }),
      ...(direct.length > 0 && { direct }),
    });
  };
}

/** A channel's digest shows all of its projects: the permission was checked when the digest was created. */
function readable({ mayRead }: ComposeOptions, digest: Digest): (project: string) => Promise<Permission> {
  if (!isPersonal(digest)) return async () => 'yes';
  const actor = { workspace: digest.workspace, user: digest.channel };
  return (project) => mayRead(actor, project);
}

function message(content: ComposedMessage, more: Partial<ComposedMessage>): ComposeResult {
  return { kind: 'message', ...content, ...more };
}

/** Gaps don't count: on an empty plan every day is one. */
function isNothing({ findings, changes, sections }: DigestContent): boolean {
  const { ahead, late, drafts } = findings;
  const isQuiet =
    (late.length === 0 || !sections.includes('late')) &&
    (drafts.length === 0 || !sections.includes('drafts'));
  const isSame = !changes || !isChange(changes) || !sections.includes('changes');
  return ahead.length === 0 && isQuiet && isSame;
}

async function directsOf(
  { authorOf }: ComposeOptions,
  digest: Digest,
  { late }: Findings,
  now: Date,
): Promise<NonNullable<ComposedMessage['direct']>> {
  const known = late.filter(({ post }) => post.id !== undefined).slice(0, MAX_DIRECT_MESSAGES);
  const directs = await Promise.all(
    known.map(async (planned) => {
      const to = await authorOf({ workspace: digest.workspace, kind: POST, ...identify(planned) });
      if (to === undefined || (isPersonal(digest) && to === digest.channel)) return [];
      const options = { zone: digest.zone, now, isMixed: true };
      const once = `late.${planned.project.id}.${planned.post.id}`;
      return [{ to, once, message: latePostMessage(planned, options) }];
    }),
  );
  return directs.flat();
}

function identify({ post, project, at }: PlannedPost) {
  const { content, media, platforms } = post;
  const fingerprint = computePostFingerprint({
    projectId: project.id,
    content,
    media,
    platforms,
    scheduleDate: at,
    isDraft: false,
  });
  return { result: post.id, equal: { project: project.id, fingerprint } };
}

/** The picture of a weekly digest. Undefined if drawing fails; the text is complete without it. */
async function pictureOf(
  {
    digest,
    request,
    plan,
    findings,
    sections,
  }: Pick<DigestContent, 'digest' | 'findings' | 'sections'> & {
    request: Pick<ComposeRequest, 'date'>;
    plan: Plan;
  },
  drawer: Drawer,
  log: Log,
): Promise<Picture | undefined> {
  if (digest.kind !== 'weekly' || !sections.includes('ahead')) return undefined;
  const { date } = request;
  const week = buildWeek(plan, findings, { date, zone: digest.zone, drafts: sections.includes('drafts') });
  try {
    const png = await drawer.draw(weekSvg(week));
    return { png, alt: describeWeek(week), name: `week-${date}.png` };
  } catch (error) {
    log.warn({ err: error }, 'could not draw the picture of a week');
    return undefined;
  }
}
