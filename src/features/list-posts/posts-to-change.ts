import type { KnownBlock } from '@slack/types';
import type { Project } from '../../api/projects.ts';
import { DAY_MS } from '../../durations.ts';
import { addMs } from '../../engine/clock.ts';
import { fetchReader, type Reader } from '../../forms/form-context.ts';
import { DUPLICATE_COPY_ACTION } from '../../forms/post-copies.ts';
import type { Call } from '../../handlers/call.ts';
import { addTypedTime, listMenuButtons } from '../../held-posts/text/held-post-buttons.ts';
import { createProjectMessage } from '../../lists/list.ts';
import { newPostButton } from '../../posts/new-post-button.ts';
import { renderPostRow } from '../../posts/post-card.ts';
import { renderMoment, shiftTime } from '../../posts/post-time.ts';
import {
  actions,
  buildButtonMenu,
  button,
  clipLine,
  context,
  escapeText,
  section,
} from '../../slack/blocks.ts';
import type { Message } from '../../slack/message.ts';
import { replaceEmojiCodes } from '../../slack/text/text.ts';
import { understandShift } from '../../when/when.ts';
import { isZone } from '../../when/zones.ts';
import { renderAllPostsButton } from './page/list-buttons.ts';
import { renderEmptyLine, renderIncompleteness, renderListFailure } from './page/list-message.ts';
import { createRows, OPEN_ACTION, type Row, renderRowText, sortPosts, toShownPost } from './page/post-row.ts';
import { type FoundPosts, readPosts } from './page/read-list.ts';
import {
  describeFilter,
  hasOnlyFillers,
  type ListState,
  MATCH_ALL,
  type PostFilter,
  parsePostFilter,
  renderDays,
} from './post-filter.ts';
import { createBulkButtons, NAMES, readTypedFilter } from './show-list.ts';

const MAX_OFFERED_POSTS = 5;
const MAX_NAME_LENGTH = 100;
const TWO_WEEKS_MS = 14 * DAY_MS;
/** "By 1 week, 2 days, 3 hours and 30 minutes". */
const MAX_SHIFT_WORDS = 12;
/** Words inside a duration, between or after which it isn't cut in two. */
const INSIDE_SHIFT = /(?:^|\s)(?:and|und|et|y|e|ed|en|a|an|half)$|^(?:and|und|et|y|e|ed|en)\s/i;

const CANNOT_EDIT = 'I can’t edit, move or cancel a scheduled post.';
const ALTERNATIVE =
  'Duplicate it with the new text or time, then delete the original in the scheduling service. Otherwise both will be published.';

const SOME_CANNOT_BE_EDITED =
  'Posts that the scheduling service has can’t be edited: duplicate one, then delete the original there.';

/** Offers upcoming posts to change. Those that the service has can only be duplicated. */
export function createChangeMessage(call: Call, state: ListState): Promise<Message> {
  const names = { ...NAMES, command: '/upnext duplicate', button: 'edit', choice: 'edit-project' };
  return createProjectMessage(call, state, names, async (project, words) => {
    const reader = await fetchReader(call);
    const { post, when } = cutTarget(replaceEmojiCodes(words).text, reader);
    const reading = hasOnlyFillers(post) ? undefined : readTypedFilter(project, post, reader);
    if (reading && 'message' in reading) return reading.message;
    const result = await findPosts(call, project, reading?.filter, reader);
    if (result.kind === 'found')
      return renderPostChoices(call, { project, posts: result, filter: reading?.filter, reader, when });
    return { failure: result.failure, state: { project: project.id, words, page: 0 } };
  });
}

/**
 * Cuts where a post is to go, which isn't where it is: “coffee to friday 9am” and “coffee a day later”, but not “1 to 5
 * december”. `when`: the time to which, or by how long, it is to go.
 */
function cutTarget(words: string, reader: Reader): { post: string; when?: string } {
  const parts = words.split(' ');
  for (let start = Math.max(0, parts.length - MAX_SHIFT_WORDS); start < parts.length; start += 1) {
    const [before, when] = [parts.slice(0, start).join(' '), parts.slice(start).join(' ')];
    if (INSIDE_SHIFT.test(before) || INSIDE_SHIFT.test(when) || !findShift(when, reader)) continue;
    return { post: before.replace(/(?:^|\s)to$/i, ''), when };
  }
  const [, post = '', target = ''] = /^(.*\S)\s+to\s+(.+)$/isu.exec(words) ?? [];
  if (target === '') return { post: words };
  const [whole, cut] = [parsePostFilter(words, reader), parsePostFilter(target, reader)];
  if (whole.kind === 'ambiguous' && cut.kind === 'ambiguous')
    return whole.phrase === cut.phrase ? { post, when: target } : { post: words };
  if (whole.kind === 'ambiguous' || cut.kind !== 'parsed') return { post: words };
  const { from, platforms } = cut.filter;
  const isPlace = from !== undefined || platforms.length > 0;
  const all = whole.kind === 'parsed' ? whole.filter : undefined;
  const hasDays = ({ from: start, to: end }: PostFilter) =>
    start?.getTime() === all?.from?.getTime() && end?.getTime() === all?.to?.getTime();
  const own = parsePostFilter(post, reader);
  // “Friday posts to monday” has two days, and “friday to monday” is about all these days.
  const isFromDays = own.kind === 'parsed' && own.filter.from !== undefined && (!all || hasDays(own.filter));
  if (!isPlace || !(hasDays(cut.filter) || isFromDays)) return { post: words };
  return { post, ...(from !== undefined && platforms.length === 0 && { when: target }) };
}

const findShift = (text: string, reader: Reader) => understandShift({ ...reader, text });

/** Reads the filter's posts. Without one: the next two weeks' scheduled posts, or else all upcoming ones. */
async function findPosts(call: Call, project: Project, filter: PostFilter | undefined, reader: Reader) {
  if (filter) return readPosts(call, project, filter);
  const from = reader.now;
  const upcomingFilter: PostFilter = { statuses: ['SCHEDULED'], platforms: [], from, zone: reader.zone };
  const twoWeekPosts = await readPosts(call, project, { ...upcomingFilter, to: addMs(from, TWO_WEEKS_MS) });
  const isEmpty = twoWeekPosts.kind === 'found' && twoWeekPosts.dated.length === 0;
  return isEmpty ? readPosts(call, project, upcomingFilter) : twoWeekPosts;
}

async function renderPostChoices(
  call: Call,
  found: {
    project: Project;
    posts: FoundPosts;
    filter: PostFilter | undefined;
    reader: Reader;
    when: string | undefined;
  },
): Promise<Message> {
  const { project, filter, reader, when } = found;
  // Drafts without a date don't belong to the days of the title.
  const posts = found.posts.undatedDrafts ? { ...found.posts, undated: [] } : found.posts;
  const listedPosts = sortPosts(posts, MATCH_ALL, reader);
  const rows = await createRows(call, project, listedPosts.slice(0, MAX_OFFERED_POSTS));
  const hiddenCount = listedPosts.length - rows.length;
  const name = clipLine(project.name, MAX_NAME_LENGTH);
  const emptyLine = filter
    ? renderEmptyLine({ ...found, filter })
    : `${name} has no scheduled posts${renderIncompleteness(found.posts)}.`;
  const days = filter ? renderDays(describeFilter(filter, reader).days) : '';
  const isOnly = listedPosts.length === 1 && !posts.isTruncated;
  const goal = rows.every(isAtService) ? '' : renderGoal(isOnly ? rows[0] : undefined, reader, when);
  const question =
    goal === ''
      ? `Which ${name} post${days}`
      : `${isOnly ? 'Move this' : 'Move which'} ${name} post${days}${goal}`;
  const questionText = rows.length === 0 ? emptyLine : `${question}?`;
  const lines = rows.map((row) => renderRowText(row, reader));
  const serviceCount = rows.filter(isAtService).length;
  const explanation = serviceCount > 0 && serviceCount === rows.length ? [CANNOT_EDIT, ALTERNATIVE] : [];
  return {
    text: escapeText([...explanation, questionText, ...lines].join('\n')),
    blocks: [
      ...explanation.map((text, index) => section(index === 0 ? `*${text}*` : text)),
      section(`*${escapeText(questionText)}*`),
      ...rows.flatMap((row) => renderRowToChange(row, reader, when)),
      ...(hiddenCount > 0
        ? [context(`…and ${posts.isTruncated ? 'at least ' : ''}${hiddenCount} more.`)]
        : []),
      ...(serviceCount > 0 && serviceCount < rows.length ? [context(SOME_CANNOT_BE_EDITED)] : []),
      ...renderListFailure(posts).map((note) => context(note)),
      actions(
        ...renderAllPostsButton(project),
        newPostButton('New post', { project: project.id }, 'primary'),
      ),
      ...(filter ? await createBulkButtons(call, project, listedPosts, when) : []),
    ],
  };
}

const isAtService = ({ held, isUnsent }: Row) => (held ? held.state === 'delivered' : !isUnsent);

/** Says where a post is to go: " “2 days later”", with the time that this is for the only one. '' without `when`. */
function renderGoal(row: Row | undefined, reader: Reader, when: string | undefined): string {
  if (when === undefined) return '';
  if (!findShift(when, reader)) return ` to “${clipLine(when)}”`;
  const time = row && applyShift(row, reader, when);
  return ` “${clipLine(when)}”${time === undefined || time === when ? '' : `, to ${time}`}`;
}

/** `when`: the time to which, or by how long, a post is to be moved. The forms of its buttons begin with it. */
function renderRowToChange(row: Row, reader: Reader, when: string | undefined): KnownBlock[] {
  const duplicate = button(
    'Duplicate',
    DUPLICATE_COPY_ACTION,
    addTypedTime(row.copyId, applyShift(row, reader, when)),
  );
  const changes = row.held ? listMenuButtons(row.held) : [];
  const [move] = changes;
  const post = toShownPost(row, reader);
  if (!move) return [renderPostRow({ ...post, accessory: duplicate })];
  const open = button('Open', OPEN_ACTION, row.copyId);
  if (when === undefined)
    return [
      renderPostRow({ ...post, accessory: buildButtonMenu(OPEN_ACTION, [open, ...changes, duplicate]) }),
    ];
  const moveToTime = { ...move, value: addTypedTime(move.value ?? '', when) };
  return [renderPostRow(post), actions(moveToTime, duplicate, open)];
}

/** Applies a typed shift to a post's time, because the form of a copy would count it from now. */
function applyShift({ post }: Row, reader: Reader, when: string | undefined): string | undefined {
  const shift = when === undefined ? undefined : findShift(when, reader);
  if (!shift || !post.scheduleDate) return when;
  const zone = post.timezone !== undefined && isZone(post.timezone) ? post.timezone : reader.zone;
  return renderMoment(shiftTime(post.scheduleDate, zone, shift), zone, reader.now, reader.locale);
}
