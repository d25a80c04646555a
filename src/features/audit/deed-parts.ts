import type { Deed, RecordRow } from '../../access/access.ts';
import { clipEscaped, escapeText, sanitizeLine } from '../../slack/blocks.ts';
import type { State } from '../../submissions/submission.ts';

/** A recorded submission, as a sentence describes it. Plain text. */
export interface RecordedSubmission {
  state: State;
  /** The name of its project. */
  projectName?: string | undefined;
  /** The invited address, the changed user, or the title of the prompt. */
  subject?: string | undefined;
  /** The time of a post: "Tue 1 Dec, 09:00". */
  time?: string | undefined;
  isDraft: boolean;
  /** The beginning of a post’s text. '' if it was purged, and for other submissions. */
  excerpt: string;
  retryCount: number;
}

/** The names behind the ids in the record. */
export interface AuditNames {
  /** Project names by id. */
  projects: ReadonlyMap<string, string>;
  /** Whether `projects` has all projects, so that other projects don't exist any more. */
  areProjectsComplete: boolean;
  /** Submissions by id. */
  submissions: ReadonlyMap<string, RecordedSubmission>;
  /** See `AppContext`. */
  deeds: ReadonlyMap<string, Deed>;
}

/** Maximum length of an escaped name or excerpt in a sentence. */
const MAX_NAME_LENGTH = 60;

/** The parts of an entry that describe the deed. */
export type DeedRow = Pick<RecordRow, 'action' | 'target' | 'project'>;

/** Renders " in Harbour Coffee" (mrkdwn), or an empty text if the entry is about no project. */
export function renderPlace(
  row: DeedRow,
  names: AuditNames,
  preposition: string,
  knownName?: string,
): string {
  return row.project === '' ? '' : ` ${preposition} ${renderProject(row, names, knownName)}`;
}

export function renderProject({ project }: DeedRow, names: AuditNames, knownName?: string): string {
  const name = names.projects.get(project) ?? knownName;
  if (name !== undefined) return renderName(name);
  return names.areProjectsComplete
    ? 'a project that no longer exists'
    : 'a project whose name I couldn’t look up';
}

export function renderName(name: string): string {
  return clipEscaped(escapeText(sanitizeLine(name)), MAX_NAME_LENGTH);
}
