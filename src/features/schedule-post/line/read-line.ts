import type { Platform } from '../../../api/platforms.ts';
import type { Project } from '../../../api/projects.ts';
import type { Listed } from '../../../posts/project.ts';
import { findText } from './find-text.ts';
import { takePlatforms } from './take-platforms.ts';
import { takeProject } from './take-project.ts';

/** A post in one line: "tomorrow 9:30 on x, linkedin for Harbour Coffee: We are live!" */
interface ReadLine {
  text: string;
  isDraft: boolean;
  platforms: readonly Platform[];
  project?: Project;
  /** The words that are left, which say when. */
  when: string;
}

const DRAFT = /(?<![^\s,])(?:save\s+)?(?:as\s+)?(?:a\s+)?drafts?(?![^\s,])/i;

/** Nothing is guessed: what names no project, platform or draft is taken to say when. Pure. */
export function readLine(line: string, projects: Listed, isMoment: (words: string) => boolean): ReadLine {
  const { head, text = '' } = findText(line);
  const { project, rest: withoutProject } = takeProject(head, projects, isMoment);
  const withoutDraft = withoutProject.replace(DRAFT, ' ');
  const { platforms, rest: when } = takePlatforms(withoutDraft);
  return {
    text,
    isDraft: withoutDraft !== withoutProject,
    platforms,
    ...(project && { project }),
    when,
  };
}
