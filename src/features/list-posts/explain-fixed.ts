import type { Project } from '../../api/projects.ts';
import type { Call } from '../../app/call.ts';
import { resolveListProject } from '../../forms/list-project.ts';
import { fetchReader, type Reader } from '../../forms/reader.ts';
import { momentText } from '../../posts/moment-words.ts';
import { actions, button, context, plain, quoted, section } from '../../slack/blocks.ts';
import { clip } from '../../slack/clip.ts';
import { escapeText, sanitizeLine } from '../../slack/escape.ts';
import { loadFailureMessage } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { EVERYTHING, type ListState, type PostFilter } from './filter/post-filter.ts';
import { readPostWords } from './filter/read-post-words.ts';
import { inOrder } from './page/arrange.ts';
import { everythingButton, scheduleButton } from './page/list-buttons.ts';
import { aboutWords, againWords, firstWords, type Row, rowsOf } from './page/post-row.ts';
import { AGAIN_BUTTON } from './page/post-view.ts';
import { type Found, readList } from './page/read-list.ts';

export const FIXED = 'list-posts.fixed';
export const FIXED_PROJECT = 'list-posts.fixed-project';

const OFFERED = 5;
const NAME = 100;
const TWO_WEEKS_MS = 14 * 24 * 60 * 60 * 1000;

const WHY =
  'A post cannot be changed, moved, published or taken back from here: the service can only make posts, and list them.';
const INSTEAD =
  'What can be done: schedule it again with another text or time, and remove the first one in the service itself: otherwise both go out.';

/** For whoever wants to change, move or cancel a post: why not, and a copy of one instead. */
export async function fixedMessage(call: Call, asked: ListState): Promise<Message> {
  const which = await whichPost(call, asked);
  return {
    text: `${WHY} ${INSTEAD} ${which.text}`,
    blocks: [section(`*${WHY}*\n${INSTEAD}`), ...(which.blocks ?? [section(which.text)])],
  };
}

async function whichPost(call: Call, asked: ListState): Promise<Message> {
  const [found, reader] = await Promise.all([
    resolveListProject(
      call,
      { project: asked.project, words: asked.words ?? '' },
      {
        command: '/upnext edit',
        action: FIXED_PROJECT,
        again: FIXED,
        state: (chosen) => ({ ...chosen, page: 0 }),
      },
    ),
    fetchReader(call),
  ]);
  if ('instead' in found) return found.instead;
  const { project, rest: words } = found;
  const read = await postsMeant(call, project, words, reader);
  if (read.kind === 'found') return offered(call, project, read, reader);
  const state: ListState = { project: project.id, words, page: 0 };
  const failed = { reference: call.reference, again: { action: FIXED, state } };
  return loadFailureMessage(`I could not get the posts of ${project.name}.`, read.trouble, failed);
}

/** Those that the words name, else what goes out next. */
async function postsMeant(call: Call, project: Project, words: string, reader: Reader) {
  const read = words === '' ? undefined : readPostWords(words, reader);
  if (read?.kind === 'read') return readList(call, project, read.filter);
  const from = reader.now.getTime();
  const coming: PostFilter = { statuses: ['SCHEDULED'], platforms: [], from, zone: reader.zone };
  const soon = await readList(call, project, { ...coming, to: from + TWO_WEEKS_MS });
  const isNone = soon.kind === 'found' && soon.dated.length === 0;
  return isNone ? readList(call, project, coming) : soon;
}

async function offered(call: Call, project: Project, found: Found, reader: Reader): Promise<Message> {
  const posts = inOrder(found, EVERYTHING, reader.now).slice(0, OFFERED);
  const rows = await rowsOf(call, project, posts);
  const name = clip(sanitizeLine(project.name), NAME);
  const which = rows.length === 0 ? `Nothing of ${name} is to go out.` : `Which post of ${name}?`;
  const lines = rows.map((row) => `${whenWords(row, reader)}\n${firstWords(row.post)}`);
  return {
    text: escapeText([which, ...lines].join('\n')),
    blocks: [
      section(`*${escapeText(which)}*`),
      ...rows.flatMap((row, index) => [
        { ...quoted(lines[index] ?? ''), accessory: button(againWords(row.post), AGAIN_BUTTON, row.copy) },
        context(plain(aboutWords(row, { ...reader, readerZone: reader.known }))),
      ]),
      actions(...everythingButton(project), scheduleButton(project)),
    ],
  };
}

function whenWords({ post }: Row, { now }: Reader): string {
  return post.scheduleDate ? momentText(post.scheduleDate, post.timezone, now) : 'No date';
}
