import { platformNames } from '../../../posts/platforms.ts';
import { type Changes, isChange } from '../changes.ts';
import { dayWords } from '../days.ts';
import type { Collision, Findings } from '../findings.ts';
import type { Plan } from '../plan.ts';
import type { Show } from '../shows.ts';
import { fullMoment, nameOf, postLine, type Seen, shortMoment, wordsOf } from './lines.ts';
import { type Detail, detailOf } from './thread.ts';

/** One thing that deserves a look: a line of its own and, where there is more of it, the details. Plain text. */
export interface Note {
  line: string;
  details?: Detail;
}

const GAPS_NAMED = 3;

/** In the order of what needs somebody first. */
export function notesOf(
  { findings, changes, plan }: { findings: Findings; changes: Changes | undefined; plan: Plan },
  shows: readonly Show[],
  seen: Seen,
): Note[] {
  const notes: Partial<Record<Show, Note | undefined>> = {
    late: lateNote(findings, seen),
    collisions: collisionNote(findings, seen),
    gaps: gapNote(findings, plan, seen),
    drafts: draftNote(findings, seen),
    changes: changes && isChange(changes) ? changeNote(changes, seen) : undefined,
  };
  return shows.flatMap((show) => notes[show] ?? []);
}

function lateNote({ late }: Findings, seen: Seen): Note | undefined {
  const [only] = late;
  if (!only) return undefined;
  if (late.length === 1)
    return { line: `⚠️ Not out yet, though its time has passed: ${postLine(only, seen)}` };
  return {
    line: `⚠️ ${late.length.toLocaleString('en-GB')} posts are not out yet, though their time has passed.`,
    details: detailOf('Not out yet', late, (planned) => postLine(planned, seen)),
  };
}

function collisionNote({ collisions }: Findings, seen: Seen): Note | undefined {
  const [only] = collisions;
  if (!only) return undefined;
  if (collisions.length === 1) return { line: `⚠️ Close together: ${collisionLine(only, seen)}` };
  return {
    line: `⚠️ ${collisions.length.toLocaleString('en-GB')} times two posts on one platform are less than 30 minutes apart.`,
    details: detailOf('Close together', collisions, (one) => collisionLine(one, seen)),
  };
}

function collisionLine({ platform, first, second }: Collision, seen: Seen): string {
  const where = `${platformNames([platform])}${seen.isMixed ? ` (${nameOf(first.project)})` : ''}`;
  const both = [first, second].map((planned) => shortMoment(planned.at, seen));
  return `${where}, ${both.join(' and ')}`;
}

function gapNote({ gaps }: Findings, plan: Plan, seen: Seen): Note | undefined {
  if (gaps.length === 0) return undefined;
  const lines = gaps.map(({ project, dates }) => {
    const days = dates.map(dayWords).join(', ');
    return seen.isMixed ? `${nameOf(project)}: ${days}` : days;
  });
  if (lines.length <= GAPS_NAMED) return { line: `No post yet on: ${lines.join('; ')}` };
  const which = gaps.length === plan.projects.length ? 'all' : `${gaps.length} of ${plan.projects.length}`;
  return {
    line: `Days without a post in ${which} projects.`,
    details: detailOf('No post yet on', lines, (line) => line),
  };
}

function draftNote({ drafts }: Findings, seen: Seen): Note | undefined {
  const [only] = drafts;
  if (!only) return undefined;
  if (drafts.length === 1) return { line: `Still a draft: ${postLine(only, seen)}` };
  return {
    line: `${drafts.length.toLocaleString('en-GB')} drafts have a date soon.`,
    details: detailOf('Still drafts', drafts, (planned) => postLine(planned, seen)),
  };
}

function changeNote({ published, added, moved, rewritten, gone }: Changes, seen: Seen): Note {
  const counts: [number, string][] = [
    [published, 'went out'],
    [added.length, 'new'],
    [moved.length, 'moved'],
    [rewritten.length, 'rewritten'],
    [gone.length, 'taken out'],
  ];
  const said = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-GB')} ${what}`);
  const lines = [
    ...added.map((planned) => `New: ${postLine(planned, seen)}`),
    ...moved.map(
      ({ planned, was }) =>
        `Moved: from ${shortMoment(was, seen)} to ${fullMoment(planned.at, seen)} · ${wordsOf(planned)}`,
    ),
    ...rewritten.map((planned) => `Rewritten: ${postLine(planned, seen)}`),
    ...gone.map((at) => `Taken out: a post for ${fullMoment(at, seen)}`),
  ];
  const line = `Since the last digest: ${said.join(', ')}.`;
  if (lines.length < 2) return { line: [line, ...lines].join(' ') };
  return { line, details: detailOf('Since the last digest', lines, (each) => each) };
}
