import type { Permission } from '../../access/access.ts';
import { postFingerprint } from '../../posts/post-fingerprint.ts';
import type { Actor } from '../../slack/actor.ts';
import type { Log } from '../../slack/log.ts';
import type { Composed, ComposedMessage, Composer, Occasion, Picture } from '../compose.ts';
import { type Digest, isPersonal } from '../digest.ts';
import { changesSince, isChange, remember } from './changes.ts';
import { type Findings, find } from './findings.ts';
import { createDrawer, type Drawer } from './picture/draw.ts';
import { weekOf } from './picture/week.ts';
import { weekSvg } from './picture/week-svg.ts';
import { weekWords } from './picture/week-words.ts';
import { type Plan, type Planned, readPlan } from './plan.ts';
import { digestMessage, nothingPlanned, type Said } from './said/digest-message.ts';
import { lateDirect } from './said/late-direct.ts';
import { noProject, notYours } from './said/no-project.ts';
import { readShows } from './shows.ts';

interface ComposeOptions {
  /** Who sent a post, by what the service called it or by its fingerprint. */
  authorOf(wanted: {
    workspace: string;
    kind: string;
    result?: string | undefined;
    equal?: { project: string; fingerprint: string } | undefined;
  }): Promise<string | undefined>;
  /** Whether somebody may look at a project still: what is theirs alone is asked for again each time. */
  mayRead(who: Actor, project: string): Promise<Permission>;
  /** The service is the embedded one: what it accepts is published nowhere. */
  practice: boolean;
  log: Log;
  drawer?: Drawer;
}

/** As submissions name a post. */
const POST = 'post';
/** More late posts than this are one trouble, and not that of so many people. */
const MOST_DIRECT = 20;

/** What a digest says, from what the service lists. */
export function createComposer({ drawer = createDrawer(), ...options }: ComposeOptions): Composer {
  return async (digest, occasion) => {
    const read = await readPlan(occasion, readable(options, digest));
    if (read.kind === 'no-project') return { kind: 'message', ...noProject(digest) };
    if (read.kind === 'not-theirs') return { kind: 'message', ...notYours() };
    if (read.kind !== 'plan') return read;
    const { plan } = read;
    const { now, date } = occasion;
    const findings = find(plan, { kind: digest.kind, zone: digest.zone, date, now });
    const changes = changesSince(occasion.memory, plan, now);
    const shows = readShows(digest.shows);
    const said: Said = { digest, occasion, plan, findings, changes, shows, practice: options.practice };
    const memory = remember(plan, now);
    const remembered = memory === undefined ? {} : { memory };
    if (isNothing(said)) {
      const isSilent = digest.silentWhenEmpty && !occasion.asked;
      return isSilent ? { kind: 'silent', ...remembered } : message(nothingPlanned(said), remembered);
    }
    const direct = shows.includes('late') ? await directsOf(options, digest, findings, now) : [];
    const picture = await pictureOf(said, drawer, options.log);
    return message(digestMessage(said), {
      ...remembered,
      ...(picture && { picture }),
      ...(direct.length > 0 && { direct }),
    });
  };
}

/** Of a channel's digest everything: who reads a channel was decided when it was made. */
function readable({ mayRead }: ComposeOptions, digest: Digest): (project: string) => Promise<Permission> {
  if (!isPersonal(digest)) return async () => 'yes';
  const who = { workspace: digest.workspace, user: digest.channel };
  return (project) => mayRead(who, project);
}

function message(said: ComposedMessage, more: Partial<ComposedMessage>): Composed {
  return { kind: 'message', ...said, ...more };
}

/** Days without a post are all of them then. */
function isNothing({ findings, changes, shows }: Said): boolean {
  const { ahead, late, drafts } = findings;
  const isQuiet =
    (late.length === 0 || !shows.includes('late')) && (drafts.length === 0 || !shows.includes('drafts'));
  const isSame = !changes || !isChange(changes) || !shows.includes('changes');
  return ahead.length === 0 && isQuiet && isSame;
}

async function directsOf(
  { authorOf }: ComposeOptions,
  digest: Digest,
  { late }: Findings,
  now: Date,
): Promise<NonNullable<ComposedMessage['direct']>> {
  const known = late.filter(({ post }) => post.id !== undefined).slice(0, MOST_DIRECT);
  const directs = await Promise.all(
    known.map(async (planned) => {
      const to = await authorOf({ workspace: digest.workspace, kind: POST, ...traces(planned) });
      if (to === undefined || (isPersonal(digest) && to === digest.channel)) return [];
      const seen = { zone: digest.zone, now, isMixed: true };
      const once = `late.${planned.project.id}.${planned.post.id}`;
      return [{ to, once, message: lateDirect(planned, seen) }];
    }),
  );
  return directs.flat();
}

function traces({ post, project, at }: Planned) {
  const { content, media, platforms } = post;
  const fingerprint = postFingerprint({
    projectId: project.id,
    content,
    media,
    platforms,
    scheduleDate: at,
    isDraft: false,
  });
  return { result: post.id, equal: { project: project.id, fingerprint } };
}

/** The week is told in words all the same, where it cannot be drawn. */
async function pictureOf(
  {
    digest,
    occasion,
    plan,
    findings,
    shows,
  }: Pick<Said, 'digest' | 'findings' | 'shows'> & {
    occasion: Pick<Occasion, 'date'>;
    plan: Plan;
  },
  drawer: Drawer,
  log: Log,
): Promise<Picture | undefined> {
  if (digest.kind !== 'weekly' || !shows.includes('ahead')) return undefined;
  const { date } = occasion;
  const week = weekOf(plan, findings, { date, zone: digest.zone, drafts: shows.includes('drafts') });
  try {
    const png = await drawer.draw(weekSvg(week));
    return { png, alt: weekWords(week), name: `week-${date}.png` };
  } catch (error) {
    log.warn({ err: error }, 'the week could not be drawn');
    return undefined;
  }
}
