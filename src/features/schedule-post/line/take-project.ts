import type { Project } from '../../../api/projects.ts';
import { meantProject } from '../../../posts/meant-project.ts';
import type { Listed } from '../../../posts/project.ts';

/** No project's name is looked for in more words. */
const MOST_WORDS = 12;

/** "For" is said once, perhaps twice; each is looked at against all projects. */
const MOST_TRIES = 3;

/** A line's words without the project that they name. */
interface TakenProject {
  project?: Project;
  rest: string;
}

/**
 * The project of "for Harbour Coffee" or `for "Harbour Coffee"`; how its name begins is enough where that is no moment
 * ("for friday"). Words that name none stay where they are.
 */
export function takeProject(
  head: string,
  projects: Listed,
  isMoment: (words: string) => boolean,
): TakenProject {
  for (const match of [...head.matchAll(/(?<![^\s])for\s+/gi)].slice(0, MOST_TRIES)) {
    const after = head.slice(match.index + match[0].length);
    const before = head.slice(0, match.index);
    const quoted = /^["“„«»]([^"“”„«»]*)["“”«»]/.exec(after);
    const tries = quoted ? [{ name: quoted[1] ?? '', length: quoted[0].length }] : beginnings(after);
    for (const { name, length } of tries) {
      const meant = meantProject(projects, [], name);
      if (meant.kind !== 'one' || meant.rest !== '') continue;
      // Asked last: reading takes steps.
      if (quoted || isWhole(projects.items, name) || !isMoment(name))
        return { project: meant.project, rest: `${before} ${after.slice(length)}` };
    }
  }
  return { rest: head };
}

/** The first words, as many as a name can have, then one less each time. */
function beginnings(words: string): { name: string; length: number }[] {
  const ends = [...words.matchAll(/\S+/g)].slice(0, MOST_WORDS).map((word) => word.index + word[0].length);
  return ends.reverse().map((end) => ({ name: words.slice(0, end).replace(/,$/, ''), length: end }));
}

function isWhole(projects: readonly Project[], words: string): boolean {
  const plain = words.toLowerCase();
  return projects.some(({ id, name }) => plain === name.toLowerCase() || plain === id.toLowerCase());
}
