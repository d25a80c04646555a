import type { Post } from '../../api/post.ts';
import type { Project } from '../../api/projects.ts';
import { PRACTICE, postCard } from '../../posts/post-card.ts';
import { chooseProject } from '../../posts/project.ts';
import { actions, button, context, quoted, section } from '../../slack/blocks.ts';
import { escapeText } from '../../slack/escape.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Message, quotingMessage } from '../../slack/message.ts';
import { type ServiceTrouble, troubleWords } from '../../slack/service-trouble.ts';

export const SCHEDULE = 'up-next.schedule';

/** Opens the form for this project; a project whose id a button cannot carry is chosen in the form. */
function scheduleButton(text: string, project: Project) {
  return actions(button(text, SCHEDULE, project.id.length <= LIMITS.optionValue ? project.id : undefined));
}

export function upNextCard(next: { post: Post; project: Project; now: Date; practice: boolean }): Message {
  // The ids of a template and a prompt say nothing to a person who can read the text itself.
  const isWritten = (next.post.content ?? '').trim() !== '';
  const post = isWritten ? { ...next.post, templateId: undefined, promptId: undefined } : next.post;
  const card = postCard({ ...next, post, title: 'Up next', project: next.project.name });
  return { ...card, blocks: [...card.blocks, scheduleButton('Schedule another', next.project)] };
}

export function nothingNext(project: Project, practice: boolean): Message {
  const text = `Nothing is scheduled for ${project.name}.`;
  return {
    text: `${escapeText(text)} Type /schedule-post to schedule a post.`,
    blocks: [
      quoted(text),
      section('Type `/schedule-post`, or press the button.'),
      scheduleButton('Schedule a post', project),
      ...(practice ? [context(PRACTICE)] : []),
    ],
  };
}

export function noProjects(): Message {
  return {
    text: 'There is no project yet. Make one in the scheduling service first; then it shows up here.',
  };
}

/** Nothing is preselected: the wrong project would be worse than a question. */
export function severalProjects(projects: readonly Project[]): Message {
  const text = 'Which project is this channel about?';
  return {
    text: `${text} Type /upnext use and the project's name.`,
    blocks: [
      section(`*${text}*\nIt is asked once for each channel; \`/upnext use\` changes it.`),
      chooseProject(projects),
    ],
  };
}

export function troubleMessage(trouble: ServiceTrouble, reference: string, project?: Project): Message {
  const what = project
    ? `I could not look up what is next for ${project.name}.`
    : 'I could not look up what is next.';
  return quotingMessage(what, `${troubleWords(trouble)} Reference: ${reference}`);
}

export function unreadable(what: string, reference: string): Message {
  return quotingMessage(
    `The scheduling service answered, but I cannot read ${what}.`,
    `Reference: ${reference}`,
  );
}
