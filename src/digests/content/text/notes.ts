import { renderPlatformNames } from '../../../posts/platforms.ts';
import { type Changes, hasChanges } from '../changes.ts';
import { renderDay } from '../days.ts';
import type { Collision, Findings } from '../findings.ts';
import type { Plan } from '../plan.ts';
import type { Section } from '../sections.ts';
import {
  type RenderOptions,
  renderExcerpt,
  renderFullMoment,
  renderPostLine,
  renderProjectName,
  renderShortMoment,
} from './lines.ts';
import { buildDetail, type Detail } from './thread.ts';

/**
 * A finding that needs attention. `details` list several findings of the same kind. All strings are plain text, not
 * mrkdwn.
 */
export interface Note {
  line: string;
  details?: Detail;
}

const MAX_NAMED_GAPS = 3;

/** Builds the notes of the chosen sections, the most urgent first. */
export function buildNotes(
  { findings, changes, plan }: { findings: Findings; changes: Changes | undefined; plan: Plan },
  sections: readonly Section[],
  options: RenderOptions,
): Note[] {
  const notes: Partial<Record<Section, Note | undefined>> = {
    late: buildLateNote(findings, options),
    collisions: buildCollisionNote(findings, options),
    gaps: buildGapNote(findings, plan, options),
    drafts: buildDraftNote(findings, options),
    changes: changes && hasChanges(changes) ? buildChangeNote(changes, options) : undefined,
  };
  return sections.flatMap((name) => notes[name] ?? []);
}

function buildLateNote({ late }: Findings, options: RenderOptions): Note | undefined {
  const [firstPost] = late;
  if (!firstPost) return undefined;
  if (late.length === 1) return { line: `⚠️ Overdue: ${renderPostLine(firstPost, options)}` };
  return {
    line: `⚠️ ${late.length.toLocaleString('en-GB')} posts are overdue.`,
    details: buildDetail('Not out yet', late, (planned) => renderPostLine(planned, options)),
  };
}

function buildCollisionNote({ collisions }: Findings, options: RenderOptions): Note | undefined {
  const [firstCollision] = collisions;
  if (!firstCollision) return undefined;
  if (collisions.length === 1)
    return { line: `⚠️ Close together: ${renderCollision(firstCollision, options)}` };
  return {
    line: `⚠️ ${collisions.length.toLocaleString('en-GB')} pairs of posts are under 30 minutes apart.`,
    details: buildDetail('Close together', collisions, (collision) => renderCollision(collision, options)),
  };
}

function renderCollision({ platform, first, second }: Collision, options: RenderOptions): string {
  const place = `${renderPlatformNames([platform])}${options.hasSeveralProjects ? ` (${renderProjectName(first.project)})` : ''}`;
  const moments = [first, second].map((planned) => renderShortMoment(planned.scheduledAt, options));
  return `${place}, ${moments.join(' and ')}`;
}

function buildGapNote({ gaps }: Findings, plan: Plan, options: RenderOptions): Note | undefined {
  if (gaps.length === 0) return undefined;
  const lines = gaps.map(({ project, dates }) => {
    const days = dates.map(renderDay).join(', ');
    return options.hasSeveralProjects ? `${renderProjectName(project)}: ${days}` : days;
  });
  if (lines.length <= MAX_NAMED_GAPS) return { line: `No post yet on: ${lines.join('; ')}` };
  const scope = gaps.length === plan.projects.length ? 'all' : `${gaps.length} of ${plan.projects.length}`;
  return {
    line: `Days without a post in ${scope} projects.`,
    details: buildDetail('No post yet on', lines, (line) => line),
  };
}

function buildDraftNote({ drafts }: Findings, options: RenderOptions): Note | undefined {
  const [firstDraft] = drafts;
  if (!firstDraft) return undefined;
  if (drafts.length === 1) return { line: `Still a draft: ${renderPostLine(firstDraft, options)}` };
  return {
    line: `${drafts.length.toLocaleString('en-GB')} drafts are due soon.`,
    details: buildDetail('Still drafts', drafts, (planned) => renderPostLine(planned, options)),
  };
}

function buildChangeNote(
  { publishedCount, added, rescheduled, rewritten, removed }: Changes,
  options: RenderOptions,
): Note {
  const counts: [number, string][] = [
    [publishedCount, 'went out'],
    [added.length, 'new'],
    [rescheduled.length, 'moved'],
    [rewritten.length, 'rewritten'],
    [removed.length, 'removed'],
  ];
  const totals = counts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count.toLocaleString('en-GB')} ${label}`);
  const lines = [
    ...added.map((planned) => `New: ${renderPostLine(planned, options)}`),
    ...rescheduled.map(
      ({ planned, previousAt }) =>
        `Moved: from ${renderShortMoment(previousAt, options)} to ${renderFullMoment(planned.scheduledAt, options)} · ${renderExcerpt(planned)}`,
    ),
    ...rewritten.map((planned) => `Rewritten: ${renderPostLine(planned, options)}`),
    ...removed.map((at) => `Removed: a post for ${renderFullMoment(at, options)}`),
  ];
  const line = `Since the last digest: ${totals.join(', ')}.`;
  if (lines.length < 2) return { line: [line, ...lines].join(' ') };
  return { line, details: buildDetail('Since the last digest', lines, (changeLine) => changeLine) };
}
