import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isMeant, type Plan, type Planned, statusOf } from './plan.ts';

/** The moment in minutes since 1970, whether it was out, and a mark of all else. */
const traced = z.tuple([z.number(), z.boolean(), z.string()]);
type Traced = z.infer<typeof traced>;

/** What the last digest saw of each post: the service does not say what changed when. Nothing of what is written. */
const seen = z.object({
  version: z.literal(2),
  /** Ms since 1970: what was looked at, from then to then. */
  from: z.number(),
  to: z.number(),
  /** Of each project that it was about, by the post's id. */
  projects: z.record(z.string(), z.record(z.string(), traced)),
});
type Seen = z.infer<typeof seen>;

/** What became of the plan since the last digest. */
export interface Changes {
  published: number;
  added: readonly Planned[];
  moved: readonly { planned: Planned; was: Date }[];
  rewritten: readonly Planned[];
  /** Not in the plan of these days any more; when they were to go out. */
  gone: readonly Date[];
}

const MINUTE_MS = 60_000;
/** About 60 bytes each; of more nothing is remembered, and no change is told. */
const MOST = 300;
const MARK = 8;

/** For the next digest; undefined where it would be too much, or not everything. */
export function remember(plan: Plan, now: Date): string | undefined {
  // Of what lies further away only the next one is looked for, and not every time.
  const posts = plan.posts.filter(({ at }) => at < plan.until);
  if (!plan.isWhole || posts.length > MOST) return undefined;
  const projects = Object.fromEntries(
    plan.projects.map(({ id }) => {
      const traces = [...byId(posts, id)].map(([post, planned]) => [post, traceOf(planned)] as const);
      return [id, Object.fromEntries(traces)];
    }),
  );
  const memory: Seen = { version: 2, from: now.getTime(), to: plan.until.getTime(), projects };
  return JSON.stringify(memory);
}

/** Undefined where nothing was remembered, or not everything could be read. Pure. */
export function changesSince(memory: string | undefined, plan: Plan, now: Date): Changes | undefined {
  const before = memory === undefined ? undefined : seen.safeParse(parsed(memory)).data;
  if (!before || !plan.isWhole) return undefined;
  const all = plan.projects.flatMap(({ id }) => {
    const known = new Map(Object.entries(before.projects)).get(id);
    // A project that it was not about then has no news, but all of it.
    return known ? [changesIn(new Map(Object.entries(known)), byId(plan.posts, id), { before, now })] : [];
  });
  return {
    published: all.reduce((sum, { published }) => sum + published, 0),
    added: all.flatMap(({ added }) => added),
    moved: all.flatMap(({ moved }) => moved),
    rewritten: all.flatMap(({ rewritten }) => rewritten),
    gone: all.flatMap(({ gone }) => gone),
  };
}

/** Of one project. */
function changesIn(
  known: ReadonlyMap<string, Traced>,
  there: ReadonlyMap<string, Planned>,
  { before, now }: { before: Seen; now: Date },
): Changes {
  const both = [...there].flatMap(([id, planned]) => {
    const was = known.get(id);
    return was ? [{ planned, was, is: traceOf(planned) }] : [];
  });
  const isMoved = ({ was, is }: { was: Traced; is: Traced }) => was[0] !== is[0];
  return {
    published: both.filter(({ was, is }) => is[1] && !was[1]).length,
    // What lies beyond what was looked at then is only new to us.
    added: [...there]
      .filter(([id, { at }]) => !known.has(id) && at.getTime() > before.from && at.getTime() < before.to)
      .map(([, planned]) => planned),
    moved: both.filter(isMoved).map(({ planned, was: [minute] }) => ({ planned, was: momentOf(minute) })),
    rewritten: both.filter((one) => !isMoved(one) && one.was[2] !== one.is[2]).map(({ planned }) => planned),
    gone: [...known]
      .filter(([id, [minute]]) => !there.has(id) && momentOf(minute) > now)
      .map(([, [minute]]) => momentOf(minute)),
  };
}

export function isChange({ published, added, moved, rewritten, gone }: Changes): boolean {
  return published + added.length + moved.length + rewritten.length + gone.length > 0;
}

function byId(posts: readonly Planned[], project: string): Map<string, Planned> {
  const own = posts.filter((planned) => planned.project.id === project && isMeant(planned));
  return new Map(
    own.flatMap((planned) => (planned.post.id === undefined ? [] : [[planned.post.id, planned]])),
  );
}

function traceOf(planned: Planned): Traced {
  const { content, media, platforms } = planned.post;
  const mark = createHash('sha256')
    .update(JSON.stringify([content?.trim(), media, [...platforms].sort()]))
    .digest('base64url')
    .slice(0, MARK);
  return [Math.floor(planned.at.getTime() / MINUTE_MS), statusOf(planned) === 'PUBLISHED', mark];
}

function momentOf(minute: number): Date {
  return new Date(minute * MINUTE_MS);
}

function parsed(memory: string): unknown {
  try {
    return JSON.parse(memory);
  } catch {
    return undefined;
  }
}
