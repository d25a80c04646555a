import type { Project } from '../../../api/projects.ts';
import { actions, quoted, section } from '../../../slack/blocks.ts';
import { clip } from '../../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../../slack/escape.ts';
import type { Message } from '../../../slack/message.ts';
import { EVERYTHING, type PostFilter } from '../filter/post-filter.ts';
import { filterButton, stateButton } from './list-buttons.ts';

export const MEANT = 'list-posts.meant';
export const RANGE = 'list-posts.range';

/** Words that work. */
export const EXAMPLES = ['scheduled x this week', 'my drafts', 'published from monday to friday'] as const;

const QUOTED = 60;
const MOST_QUOTED = 5;

/** Words that say nothing here, so that nothing is listed: which ones, what works, and what was probably meant. */
export function notUnderstood(
  project: Project,
  { unknown, meant }: { unknown: readonly string[]; meant?: string },
): Message {
  const words = unknown.slice(0, MOST_QUOTED).map((word) => `“${clip(sanitizeLine(word), QUOTED)}”`);
  const rest = unknown.length > MOST_QUOTED ? ' and more' : '';
  const line = `I do not know what ${words.join(', ')}${rest} means here, so I have listed nothing.`;
  const more = `What works, for example: ${EXAMPLES.map((each) => `\`/upnext posts ${each}\``).join(', ')}.`;
  return {
    text: `${escapeText(line)} ${more}`,
    blocks: [
      quoted(line),
      section(more),
      actions(
        ...(meant === undefined
          ? []
          : stateButton(`Show “${meant}”`, MEANT, { project: project.id, words: meant, page: 0 })),
        ...filterButton(project, EVERYTHING),
      ),
    ],
  };
}

/** Which of several days is meant, as buttons. */
export function whichDays(
  project: Project,
  words: string,
  candidates: readonly { said: string; filter: PostFilter }[],
): Message {
  const line = `Which days are meant by “${clip(sanitizeLine(words), QUOTED)}”?`;
  const offered = candidates.flatMap(({ said, filter }, index) =>
    stateButton(said, `${RANGE}.${index}`, { project: project.id, filter, page: 0 }),
  );
  return {
    text: escapeText(`${line} ${candidates.map(({ said }) => said).join(', or ')}`),
    blocks: [quoted(line), ...(offered.length > 0 ? [actions(...offered)] : [])],
  };
}
