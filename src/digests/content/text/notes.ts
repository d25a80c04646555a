import { renderPlatformNames } from '../../../posts/platforms.ts';
import { type Changes, isChange } from '../changes.ts';
import { dayText } from '../days.ts';
import type { Collision, Findings } from '../findings.ts';
import type { Plan } from '../plan.ts';
import type { Section } from '../sections.ts';
import { fullMoment, postExcerpt, postLine, projectName, type RenderOptions, shortMoment } from './lines.ts';
import { type Detail, detailOf } from './thread.ts';

/** A finding that needs attention: one line, and details if there are several of its kind. Plain text. */
export interface Note {
  line: string;
  details?: Detail;
}

const MAX_GAPS_NAMED = 3;

/** The most urgent note first, which is the order of SECTIONS. */
export function notesOf(
  { findings, changes, plan }: { findings: Findings; changes: Changes | undefined; plan: Plan },
  sections: readonly Section[],
  options: RenderOptions,
): Note[] {
  const notes: Partial<Record<Section, Note | undefined>> = {
    late: lateNote(findings, options),
    collisions: collisionNote(findings, options),
    gaps: gapNote(findings, plan, options),
    drafts: draftNote(findings, options),
    changes: changes && isChange(changes) ? changeNote(changes, options) : undefined,
  };
  return sections.flatMap((show) => notes[show] ?? []);
}

function lateNote({ late }: Findings, options: RenderOptions): Note | undefined {
  const [only] = late;
  if (!only) return undefined;
  if (late.length === 1)
    return { line: `⚠️ Not out yet, though its time has passed: ${postLine(only, options)}` };
  return {
    line: `⚠️ ${late.length.toLocaleString('en-GB')} posts are not out yet, though their time has passed.`,
    details: detailOf('Not out yet', late, (planned) => postLine(planned, options)),
  };
}

function collisionNote({ collisions }: Findings, options: RenderOptions): Note | undefined {
  const [only] = collisions;
  if (!only) return undefined;
  if (collisions.length === 1) return { line: `⚠️ Close together: ${collisionLine(only, options)}` };
  return {
    line: `⚠️ ${collisions.length.toLocaleString('en-GB')} times two posts on one platform are less than 30 minutes apart.`,
    details: detailOf('Close together', collisions, (one) => collisionLine(one, options)),
  };
}

function collisionLine({ platform, first, second }: Collision, options: RenderOptions): string {
  const where = `${renderPlatformNames([platform])}${options.isMixed ? ` (${projectName(first.project)})` : ''}`;
  const both = [first, second].map((planned) => shortMoment(planned.at, options));
  return `${where}, ${both.join(' and ')}`;
}

function gapNote({ gaps }: Findings, plan: Plan, options: RenderOptions): Note | undefined {
  if (gaps.length === 0) return undefined;
  const lines = gaps.map(({ project, dates }) => {
    const days = dates.map(dayText).join(', ');
    return options.isMixed ? `${projectName(project)}: ${days}` : days;
  });
  if (lines.length <= MAX_GAPS_NAMED) return { line: `No post yet on: ${lines.join('; ')}` };
  const which = gaps.length === plan.projects.length ? 'all' : `${gaps.length} of ${plan.projects.length}`;
  return {
    line: `Days without a post in ${which} projects.`,
    details: detailOf('No post yet on', lines, (line) => line),
  };
}

function draftNote({ drafts }: Findings, options: RenderOptions): Note | undefined {
  const [only] = drafts;
  if (!only) return undefined;
  if (drafts.length === 1) return { line: `Still a draft: ${postLine(only, options)}` };
  return {
    line: `${drafts.length.toLocaleString('en-GB')} drafts have a date soon.`,
    details: detailOf('Still drafts', drafts, (planned) => postLine(planned, options)),
  };
}

function changeNote({ published, added, moved, rewritten, gone }: Changes, options: RenderOptions): Note {
  const counts: [number, string][] = [
    [published, 'went out'],
    [added.length, 'new'],
    [moved.length, 'moved'],
    [rewritten.length, 'rewritten'],
    [gone.length, 'taken out'],
  ];
  const totals = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count.toLocaleString('en-GB')} ${what}`);
  const lines = [
    ...added.map((planned) => `New: ${postLine(planned, options)}`),
    ...moved.map(
      ({ planned, was }) =>
        `Moved: from ${shortMoment(was, options)} to ${fullMoment(planned.at, options)} · ${postExcerpt(planned)}`,
    ),
    ...rewritten.map((planned) => `Rewritten: ${postLine(planned, options)}`),
    ...gone.map((at) => `Taken out: a post for ${fullMoment(at, options)}`),
  ];
  const line = `Since the last digest: ${totals.join(', ')}.`;
  if (lines.length < 2) return { line: [line, ...lines].join(' ') };
  return { line, details: detailOf('Since the last digest', lines, (each) => each) };
}
