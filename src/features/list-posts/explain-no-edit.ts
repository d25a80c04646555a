import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { resolveListProject } from '../../forms/resolve-list-project.ts';
import { renderMoment } from '../../posts/render-post.ts';
import { actions, button, context, plain, plainSection, section } from '../../slack/blocks.ts';
import { clip, escapeText, sanitizeLine } from '../../slack/escape.ts';
import { loadFailureMessage } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { parsePostFilter } from './filter/parse-post-filter.ts';
import { EVERYTHING, type ListState, type PostFilter } from './filter/post-filter.ts';
import { sortPosts } from './page/arrange.ts';
import { everythingButton, scheduleButton } from './page/list-buttons.ts';
import { copyButtonText, createRows, detailsText, excerptText, type Row } from './page/post-row.ts';
import { AGAIN_BUTTON } from './page/post-view.ts';
import { type FoundPosts, readList } from './page/read-list.ts';

export const EDIT = 'list-posts.edit';
export const EDIT_PROJECT = 'list-posts.edit-project';

const MAX_OFFERED = 5;
const MAX_NAME_LENGTH = 100;
const TWO_WEEKS_MS = 14 * 24 * 60 * 60 * 1000;

const CANNOT_EDIT =
  'A post cannot be changed, moved, published or taken back from here: the service can only make posts, and list them.';
const ALTERNATIVE =
  'What can be done: schedule it again with another text or time, and remove the first one in the service itself: otherwise both go out.';

/** Explains that posts can't be changed, moved or cancelled, and offers copies instead. */
export async function editMessage(call: Call, state: ListState): Promise<Message> {
  const which = await postQuestion(call, state);
  return {
    text: `${CANNOT_EDIT} ${ALTERNATIVE} ${which.text}`,
    blocks: [section(`*${CANNOT_EDIT}*\n${ALTERNATIVE}`), ...(which.blocks ?? [section(which.text)])],
  };
}

async function postQuestion(call: Call, state: ListState): Promise<Message> {
  const [found, reader] = await Promise.all([
    resolveListProject(
      call,
      { project: state.project, words: state.words ?? '' },
      {
        command: '/upnext edit',
        action: EDIT_PROJECT,
        retryAction: EDIT,
        buildState: (chosen) => ({ ...chosen, page: 0 }),
      },
    ),
    fetchReader(call),
  ]);
  if ('message' in found) return found.message;
  const { project, rest: words } = found;
  const read = await findPosts(call, project, words, reader);
  if (read.kind === 'found') return postChoices(call, project, read, reader);
  const retryState: ListState = { project: project.id, words, page: 0 };
  const failed = { reference: call.reference, again: { action: EDIT, state: retryState } };
  return loadFailureMessage(`I could not get the posts of ${project.name}.`, read.trouble, failed);
}

/** Reads the posts that match the words. Without such words, the upcoming posts. */
async function findPosts(call: Call, project: Project, words: string, reader: Reader) {
  const read = words === '' ? undefined : parsePostFilter(words, reader);
  if (read?.kind === 'read') return readList(call, project, read.filter);
  const from = reader.now.getTime();
  const coming: PostFilter = { statuses: ['SCHEDULED'], platforms: [], from, zone: reader.zone };
  const soon = await readList(call, project, { ...coming, to: from + TWO_WEEKS_MS });
  const isNone = soon.kind === 'found' && soon.dated.length === 0;
  return isNone ? readList(call, project, coming) : soon;
}

async function postChoices(
  call: Call,
  project: Project,
  found: FoundPosts,
  reader: Reader,
): Promise<Message> {
  const posts = sortPosts(found, EVERYTHING, reader.now).slice(0, MAX_OFFERED);
  const rows = await createRows(call, project, posts);
  const name = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const which = rows.length === 0 ? `Nothing of ${name} is to go out.` : `Which post of ${name}?`;
  const lines = rows.map((row) => `${dateText(row, reader)}\n${excerptText(row.post)}`);
  return {
    text: escapeText([which, ...lines].join('\n')),
    blocks: [
      section(`*${escapeText(which)}*`),
      ...rows.flatMap((row, index) => [
        {
          ...plainSection(lines[index] ?? ''),
          accessory: button(copyButtonText(row.post), AGAIN_BUTTON, row.copy),
        },
        context(plain(detailsText(row, { ...reader, actorZone: reader.knownZone }))),
      ]),
      actions(...everythingButton(project), scheduleButton(project)),
    ],
  };
}

function dateText({ post }: Row, { now }: Reader): string {
  return post.scheduleDate ? renderMoment(post.scheduleDate, post.timezone, now) : 'No date';
}
