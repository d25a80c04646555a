import { randomUUID } from 'node:crypto';
import type { ActionsBlock, KnownBlock } from '@slack/types';
import { buildDoneEntry } from '../../access/access.ts';
import { DAY_MS } from '../../durations.ts';
import { claimOnce, releaseClaim } from '../../engine/once-claim.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { DUPLICATE_COPY_ACTION, storePostCopies, toPostCopy } from '../../forms/post-copies.ts';
import { answerWhenReady } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, CommandCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import {
  authorizeShare,
  getSharedId,
  renderShared,
  SHARING_ROLES,
  sendShared,
} from '../../handlers/share-outside.ts';
import { readProjects } from '../../held-posts/known-projects.ts';
import { buildHeldPostAction, buildHeldPostValue } from '../../held-posts/text/held-post-buttons.ts';
import { newPostButton } from '../../posts/new-post-button.ts';
import { parsePlatform } from '../../posts/platforms.ts';
import { renderPostCard, renderPostRow } from '../../posts/post-card.ts';
import { toExcerpt } from '../../posts/post-text.ts';
import { renderPostTime, renderSameTimeNote, type Viewers } from '../../posts/post-time.ts';
import { type ProjectList, resolveProject } from '../../posts/project.ts';
import { listBoundProjects } from '../../preferences/bindings.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import {
  buildCardActions,
  button,
  clipLine,
  context,
  divider,
  escapeText,
  plainSection,
  section,
} from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { type Message, renderReference } from '../../slack/message.ts';
import { renderReadFailure } from '../../slack/service-failure.ts';
import { findRange } from '../../when/range.ts';
import { clip, renderCount } from '../../words.ts';
import { loadNextPosts, type NextPost, REFRESH_ACTION } from './load-next-posts.ts';

const SHARE_ACTION = 'up-next.share';
/** Action id of sharing in a channel that people of another organisation read, after a warning to an owner. */
const CONFIRM_SHARE_OUTSIDE_ACTION = 'up-next.share-outside';
/** Retention of the record that prevents a card from being shared twice. Hardly anybody shares a card after a day. */
const SHARED_RETENTION_MS = DAY_MS;

/** Handles [Share with channel]. Sends the current next posts to the channel. Each card can be shared once. */
async function onShare(call: ActionCall): Promise<void> {
  const { context, actor, channel, reference } = call;
  const cardId = getSharedId(call);
  if (channel === undefined || cardId === undefined) return;
  const loadResult = await loadNextPosts(call);
  const refuse = (answer: Promise<void>) => {
    call.recordOutcome?.('unchanged');
    return answer;
  };
  if ('message' in loadResult) return refuse(call.reply(loadResult.message));
  const cardContext = { now: call.now(), viewers: 'everyone', reference } as const;
  // Failures and projects without a post are shown only to the actor.
  const posts = loadResult.nextPosts.filter(({ kind }) => kind === 'post');
  const message = renderCard(posts.length > 0 ? posts : loadResult.nextPosts, cardContext);
  const copyId = await storeCopyOfOnlyPost(call, loadResult.nextPosts);
  const replaceCard = (result: string, shareableCardId?: string) => {
    const buttons = renderButtons(loadResult.nextPosts, { cardId: shareableCardId, copyId });
    const blocks: KnownBlock[] = [...message.blocks, section(result), ...buttons];
    return call.reply({ text: `${result} ${message.text}`, blocks }, { replace: true });
  };
  if (posts.length === 0) return refuse(replaceCard('Nothing was shared.'));
  const shareRequest = {
    channel,
    projects: posts.map(({ project }) => project.id),
    id: cardId,
    confirmAction: CONFIRM_SHARE_OUTSIDE_ACTION,
    subject: 'up-next share',
  } as const;
  if (!(await authorizeShare(call, shareRequest))) return;
  const name = `share.${actor.user}.${cardId}`;
  const deduplicationKey = { workspace: actor.workspace, name };
  if (!(await claimOnce(context.db, { ...deduplicationKey, retentionMs: SHARED_RETENTION_MS })))
    return refuse(replaceCard(`I already shared this in <#${channel}>.`));
  const sent = await sendShared(call, channel, message);
  if ('response' in sent) {
    for (const { project } of posts)
      context.record.enqueue(
        buildDoneEntry(call, { action: 'up-next share', project: project.id, target: `channel ${channel}` }),
      );
    return replaceCard(await renderShared(call, channel));
  }
  await releaseClaim(context.db, deduplicationKey);
  return replaceCard(sent.refusal, cardId);
}

/** Stores a copy of the post for [Duplicate]. Resolves with its id, or with undefined unless there is just one post. */
async function storeCopyOfOnlyPost(call: Call, nextPosts: readonly NextPost[]): Promise<string | undefined> {
  const [nextPost] = nextPosts.length === 1 ? nextPosts : [];
  // A held post is edited, not copied.
  if (nextPost?.kind !== 'post' || nextPost.held) return undefined;
  const [id] = await storePostCopies(call, [
    toPostCopy(nextPost.project, { post: nextPost.post, author: nextPost.author?.id }),
  ]);
  return id;
}

/**
 * Matches "When is the next post?", "what’s next", "which post goes out next?", but not "what is planned next week?" or
 * anything longer than 200 characters.
 */
const ASKS_FOR_NEXT =
  /^(?!.{201})(?:so |and )?(?:when|what|which)(?:['’]?s)?\s.*\bnext(?:\s*[?!.]*$|\s(?:post|one|up|in|for|to)\b)/isu;

/** The words in such a question that aren't part of a name, although there may be a project named "Next". */
const NEXT_POST = /(?:['’]s|(?<!\s))\s+next\b(?:\s(?:post|one|up)\b)?/iu;

/** "Me the plan for" in "show me the plan for friday". In a list, "me" would mean one's own posts. */
const PLEASANTRY = /^\s*(?:(?:me|us)\s+)?(?:(?:the\s+)?(?:plan|schedule|calendar)\s+(?:for|on|of)\s+)?/iu;

/** Shows the next post. If the text names another project, a platform or days, lists the scheduled posts instead. */
async function showNextOf(call: CommandCall): Promise<void> {
  const filter = call.text === '' ? [] : await findFilter(call);
  if (filter.length === 0) return showNext(call, { replace: false });
  return call.runLine(`/upnext posts scheduled ${filter.join(' ')}`);
}

const UNREAD_PROJECTS: ProjectList = { items: [], isTruncated: true };

/** Finds the platforms, project and days in the text. Empty if it names just the project that is shown anyway. */
async function findFilter(call: CommandCall): Promise<string[]> {
  const { context, actor, channel, channelName, text } = call;
  const [outcome, reader] = await Promise.all([context.reads.fetchProjects(context.api), fetchReader(call)]);
  // The list of posts also says that the projects couldn't be read, and has the words for another try.
  const { projects = UNREAD_PROJECTS } = await readProjects(call, outcome);
  const isQuestion = ASKS_FOR_NEXT.test(text);
  // The dot keeps "what's" from being the beginning of a name.
  const question = isQuestion ? text.replace(NEXT_POST, ' ·') : text;
  const words = question
    .replace(/(?<![?!.])[?!.]+\s*$/, '')
    .replace(PLEASANTRY, '')
    .trim();
  const named = resolveProject(projects, [], words);
  if (named.kind === 'none') return [];
  const platforms = named.rest
    .split(/[^\p{L}\p{N}]+/u)
    .map(parsePlatform)
    .filter((platform) => platform !== undefined && platform !== 'all');
  const { now, zone, locale = 'en-US', dateOrder } = reader;
  // In a question, the days come after “next”: “when may our next post go out?” isn’t about May.
  const rest = named.rest.slice(named.rest.indexOf('·') + 1);
  // “/upnext next week” is about that week, and “/upnext next Night Books friday” about that day.
  const lines = isQuestion ? [rest] : rest === words ? [`next ${rest}`, rest] : [rest, `next ${rest}`];
  const ranges = lines.map((line) => findRange({ text: line, now, zone, locale, dateOrder }));
  const days = ranges.find((range) => range?.kind === 'found');
  const refused = ranges.find((range) => range?.kind === 'not-understood');
  // The list says that a date doesn't exist.
  const dayText = refused?.unparsedText ? refused.unparsedText : days?.phrase;
  const understood = [...platforms, ...(dayText === undefined ? [] : [dayText])];
  // The list also searches for the other words, unless they are those of a question.
  const dayLine = days && dayText === days.phrase ? lines[ranges.indexOf(days)] : undefined;
  const filter = isQuestion || understood.length === 0 ? understood : [dayLine ?? named.rest];
  if (named.rest === words) return filter;
  if (named.kind === 'several') return [...filter, named.projects[0]?.name ?? ''];
  const boundIds = await listBoundProjects(context.db, { workspace: actor.workspace, channel });
  const shown = resolveProject(projects, boundIds, '', channelName);
  const isShown = shown.kind === 'one' && shown.project.id === named.project.id;
  return isShown && filter.length === 0 ? [] : [...filter, named.project.id];
}

/** `/upnext` shows the next post of each project that the channel is about. */
export const upNext: Feature = {
  name: 'up-next',
  commands: [
    {
      name: 'next',
      aliases: ['up', 'upcoming', 'show'],
      summary: 'The next post',
      phrases: ASKS_FOR_NEXT,
      examples: { '/upnext': 'See the next post.' },
      button: 'What’s next',
      isReadOnly: true,
      deed: 'open the next post',
      run: showNextOf,
    },
  ],
  role: 'viewer',
  optionalScopes: {
    'team:read': {
      purpose: 'to name the other organisations in a shared channel before something is shared there',
      missingAbility: 'name the other organisations in shared channels',
    },
  },
  open: { deed: 'open the next post', run: (call) => showNext(call, { replace: true }) },
  actions: {
    [REFRESH_ACTION]: { deed: 'open the next post', run: (call) => showNext(call, { replace: true }) },
    [SHARE_ACTION]: { deed: 'share the next post', role: SHARING_ROLES.followed, run: onShare },
    [CONFIRM_SHARE_OUTSIDE_ACTION]: {
      deed: 'share the next post with people outside the workspace',
      role: 'owner',
      run: onShare,
    },
  },
};

function showNext(call: Call, options: { replace: boolean }): Promise<void> {
  return answerWhenReady(call, renderNextMessage(call, options), options);
}

async function renderNextMessage(call: Call, options: { replace: boolean }): Promise<Message> {
  const [loadResult, { knownZone: zone, locale, user }] = await Promise.all([
    loadNextPosts(call),
    fetchReader(call),
  ]);
  if ('message' in loadResult) return loadResult.message;
  const { reference } = call;
  const now = call.now();
  const viewer = { zone, locale, user };
  const card = renderCard(loadResult.nextPosts, { now, viewers: viewer, reference });
  const sharingRole = loadResult.isProjectChosen ? SHARING_ROLES.followed : SHARING_ROLES.elsewhere;
  const isShareable =
    call.channel !== undefined &&
    !isDirectMessage(call.channel) &&
    loadResult.nextPosts.every(({ project }) => call.may(sharingRole, project.id));
  const cardId = isShareable ? randomUUID() : undefined;
  const { otherProjectCount, isTruncated } = loadResult;
  const otherProjects = `${isTruncated ? 'at least ' : ''}${renderCount(otherProjectCount, 'more project')}`;
  const notes = [
    ...(loadResult.note === undefined ? [] : [loadResult.note]),
    ...(otherProjectCount > 0 ? [`…and ${otherProjects}: \`/upnext projects\`.`] : []),
    // With the time of the refresh, a press has a visible effect.
    ...(options.replace
      ? [`As of ${renderPostTime({ instant: now, zone: undefined }, viewer, now).clock}`]
      : []),
  ];
  const blocks = [
    ...card.blocks,
    ...(notes.length > 0 ? [context(...notes)] : []),
    ...renderButtons(loadResult.nextPosts, {
      cardId,
      copyId: await storeCopyOfOnlyPost(call, loadResult.nextPosts),
    }),
  ];
  return { ...card, blocks };
}

const MAX_NAME_LENGTH = 150;

type CardContext = { now: Date; viewers: Viewers; reference: string };

/**
 * Renders the buttons of a card for one person. `cardId` is undefined if the card can't be shared with a channel.
 * `copyId` is the id of the post's stored copy; it is undefined unless the card has exactly one post.
 */
function renderButtons(
  nextPosts: readonly NextPost[],
  { cardId, copyId }: { cardId?: string | undefined; copyId?: string | undefined },
): ActionsBlock[] {
  const hasPost = nextPosts.some(({ kind }) => kind === 'post');
  const [onlyNextPost] = nextPosts.length === 1 ? nextPosts : [];
  const canShare = cardId !== undefined && hasPost;
  const held = onlyNextPost?.kind === 'post' ? onlyNextPost.held : undefined;
  const project = onlyNextPost?.project;
  return buildCardActions('up-next', [
    ...(held ? [button('Edit', buildHeldPostAction('edit'), buildHeldPostValue(held))] : []),
    ...(canShare ? [button('Share with channel', SHARE_ACTION, cardId)] : []),
    newPostButton(hasPost ? 'New post' : 'Schedule a post', { project: project?.id }),
    button('Refresh', REFRESH_ACTION),
    ...(copyId === undefined ? [] : [button('Duplicate', DUPLICATE_COPY_ACTION, copyId)]),
  ]);
}

/** Renders the card without its buttons. */
function renderCard(
  nextPosts: readonly NextPost[],
  cardContext: CardContext,
): Message & { blocks: KnownBlock[] } {
  const [onlyNextPost] = nextPosts;
  if (onlyNextPost && nextPosts.length === 1) return renderSingleCard(onlyNextPost, cardContext);
  const cards = nextPosts.map((item) => renderShortCard(item, cardContext));
  return {
    text: clip(cards.map(({ text }) => text).join('\n'), LIMITS.sectionText),
    blocks: [...cards.flatMap(({ blocks }, index) => [...(index > 0 ? [divider()] : []), ...blocks])],
  };
}

function renderSingleCard(nextPost: NextPost, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const { project } = nextPost;
  if (nextPost.kind === 'post') {
    const card = renderPostCard({
      ...renderShownPost(nextPost, cardContext),
      title: 'Up next',
      project: project.name,
    });
    return { ...card, blocks: [...card.blocks, ...renderUnreadNote(nextPost)] };
  }
  const { line, details, referenceText } = explainNoPost(nextPost, cardContext);
  return {
    text: [escapeText(line), details, referenceText].filter(Boolean).join(' '),
    blocks: [
      plainSection(line),
      section(details),
      ...(referenceText === undefined ? [] : [context(referenceText)]),
    ],
  };
}

function renderShortCard(nextPost: NextPost, cardContext: CardContext): Message & { blocks: KnownBlock[] } {
  const name = clipLine(nextPost.project.name, MAX_NAME_LENGTH);
  if (nextPost.kind !== 'post') {
    const { line, details, referenceText } = explainNoPost(nextPost, cardContext);
    return {
      text: escapeText(line),
      blocks: [plainSection(line), ...(referenceText === undefined ? [] : [context(details, referenceText)])],
    };
  }
  const { post } = nextPost;
  const { now, viewers } = cardContext;
  const time =
    post.scheduleDate && renderPostTime({ instant: post.scheduleDate, zone: post.timezone }, viewers, now);
  return {
    text: escapeText(
      `Up next: ${time?.plain ?? 'No date'}, ${name}. ${toExcerpt(post.content ?? '')}`.trim(),
    ),
    blocks: [
      renderPostRow({
        ...renderShownPost(nextPost, cardContext),
        project: name,
        heading: { status: 'SCHEDULED' },
      }),
      ...renderUnreadNote(nextPost),
    ],
  };
}

/** Says that only held posts are known. */
function renderUnreadNote({ failure }: Extract<NextPost, { kind: 'post' }>): KnownBlock[] {
  const note = 'I couldn’t load the service’s posts, so another one may be sooner.';
  return failure ? [context(`${note} ${renderReadFailure(failure)}`)] : [];
}

function renderShownPost(
  { post, author, sameTimeCount, held }: Extract<NextPost, { kind: 'post' }>,
  { now, viewers }: CardContext,
) {
  return {
    post,
    author,
    now,
    viewers,
    facts: held?.facts,
    statusNotes: renderSameTimeNote(sameTimeCount),
  };
}

/** Explains why there is no post to show. `line` is plain text. `details`: the reason or what to do (mrkdwn). */
function explainNoPost(
  nextPost: Exclude<NextPost, { kind: 'post' }>,
  { reference, viewers, now }: CardContext,
): { line: string; details: string; referenceText?: string } {
  const name = clipLine(nextPost.project.name, MAX_NAME_LENGTH);
  const until = nextPost.seriesDate && renderPostTime(nextPost.seriesDate, viewers, now).plain;
  if (!nextPost.failure)
    return {
      line: `Nothing is scheduled for ${name}${until ? ` before ${until}, the next date of a series` : ''}.`,
      details: 'Schedule one with `/schedule-post`.',
    };
  return {
    line: `I couldn’t load the next post of ${name}.`,
    details: renderReadFailure(nextPost.failure),
    referenceText: renderReference(reference),
  };
}
