import type { Project } from '../../api/projects.ts';
import { getLocalDate } from '../../digests/content/days.ts';
import { getEventFacts, renderPersonDeed } from '../../held-posts/event-kinds.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { describeContent, readHeldContent } from '../../held-posts/held-post-context.ts';
import { findPostAuthors } from '../../held-posts/post-authors.ts';
import { readHistory } from '../../held-posts/read-history.ts';
import { evaluateReview } from '../../held-posts/review/evaluate-review.ts';
import { type LoadedReview, loadReview, needsApproval } from '../../held-posts/review/load-review.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { findHeldPost } from '../../held-posts/sql/held-posts.ts';
import { listHeldPostMessages } from '../../held-posts/sql/messages.ts';
import { describePost, type PostFacts } from '../../posts/describe-post.ts';
import { renderPostDifference } from '../../posts/post-changes.ts';
import type { CardPost } from '../../posts/post-text.ts';
import { mapLimited } from '../../promises.ts';
import { unescapeText } from '../../slack/blocks.ts';
import { getSlackErrorCode, isTransient } from '../../slack/slack-errors.ts';
import { type Answer, toAnswer } from '../answer.ts';
import { answerUnavailable, answerUnread, renderNoCard } from '../layout.ts';
import { type Look, type PageLook, readInTime } from '../look.ts';
import type { People } from '../people.ts';
import { listProjects } from '../projects.ts';
import { parseKey } from '../read-plan.ts';
import type { PageRequest } from '../request.ts';
import { findState } from '../state.ts';
import { type PageReader, renderZone } from '../time.ts';
import { type HistoryLine, type PostPage, type ReviewStep, renderPostPage } from './post-page.ts';
import { findOwnPath } from './preview.ts';

/** How the address of a post's card in Slack begins, before the post's key. */
const SLACK = 'slack.';

/** What is known of a post, by whoever has it. */
type FoundPost = Pick<PostPage, 'review' | 'history' | 'author' | 'slack'> & {
  post: CardPost;
  project: Project;
  facts: PostFacts;
};

/** Answers with one post as it will look, and what became of it so far. */
export async function answerPost(request: PageRequest): Promise<Answer | undefined> {
  const { look, link, people, rest, assets } = request;
  const key = parseKey(rest);
  if (!key) return undefined;
  const reader = await people.readReader(look);
  const now = look.now();
  const hasMonths = link.kind === 'pages';
  const frame = {
    assets,
    reader: { name: reader.name, zone: renderZone(reader.zone, now) },
    ...(hasMonths && { home: '.' }),
  };
  const found =
    'held' in key ? await findKept(request, key.held, reader) : await findListed(look, people, key);
  if (found === 'unknown') return answerUnavailable(assets);
  if (found === 'unread') return answerUnread(frame);
  if (!found) return undefined;
  const { post, project, facts } = found;
  const day = post.scheduleDate && getLocalDate(post.scheduleDate, reader.zone);
  const { sentence } = describePost(facts, { viewers: reader, now });
  const media = await findMedia(request, post);
  return toAnswer(
    renderPostPage({
      ...found,
      state: { ...findState(facts, now), sentence: toPlain(sentence) },
      ...media,
      back:
        hasMonths && day !== undefined
          ? `${day.slice(0, 7)}?project=${encodeURIComponent(project.id)}#d${day.slice(8)}`
          : undefined,
      ...{ reader, now, frame },
    }),
  );
}

/** A sentence for Slack as plain text. For one reader, it has no markup but escaped characters and bold words. */
const toPlain = (mrkdwn: string): string => unescapeText(mrkdwn).replace(/\*(\S[^*]*)\*/g, '$1');

/** Leads to the message in Slack that shows the post to the link's person. */
export async function answerSlack({ look, rest, assets }: PageRequest): Promise<Answer | undefined> {
  const key = parseKey(rest.slice(SLACK.length));
  const row = key && 'held' in key ? await findReadable(look, key.held) : undefined;
  if (row === 'unknown') return answerUnavailable(assets);
  const messages = row ? await findMessages(look, row) : [];
  for (const { channel, ts } of messages) {
    const permalink = await findPermalink(look, channel, ts);
    if (permalink !== undefined && /^https?:\/\//.test(permalink))
      return { status: 303, body: '', headers: { location: permalink } };
  }
  return messages.length > 0 ? toAnswer(renderNoCard(assets), 410) : undefined;
}

/** Undefined if Slack no longer has the message, or doesn't show it to the app. */
async function findPermalink({ client }: Look, channel: string, ts: string): Promise<string | undefined> {
  try {
    return (await client.chat.getPermalink({ channel, message_ts: ts })).permalink;
  } catch (error) {
    if (getSlackErrorCode(error) === undefined || isTransient(error)) throw error;
    return undefined;
  }
}

/** Finds a post that the person may see. `unknown`: it couldn't be found out whether they may. */
async function findReadable(look: Look, id: string): Promise<HeldPostRow | 'unknown' | undefined> {
  const row = await findHeldPost(look.context.db, { id, workspace: look.actor.workspace });
  if (!row || row.state === 'dropped' || look.lacks('viewer', row.project)) return undefined;
  return look.may('viewer', row.project) ? row : 'unknown';
}

/** The person's own messages, the newest first, and then those in channels, which Slack shows to those who are in them. */
async function findMessages(look: Look, row: HeldPostRow) {
  const messages = await listHeldPostMessages(look.context.db, row);
  const shown = messages.filter(({ purpose }) => ['card', 'shared', 'review'].includes(purpose)).reverse();
  const isOwn = ({ recipient }: (typeof shown)[number]) => recipient === look.actor.user;
  return [
    ...shown.filter(isOwn),
    ...shown.filter((message) => !isOwn(message) && /^[CG]/.test(message.channel)),
  ];
}

async function findKept(
  { look, people, rest }: PageRequest,
  id: string,
  reader: PageReader,
): Promise<FoundPost | 'unknown' | undefined> {
  const { heldPosts } = look.context;
  const row = await findReadable(look, id);
  if (!row || row === 'unknown') return row;
  const review = await loadReview(heldPosts, row);
  const shown = await readShownPost(heldPosts, row, review);
  const { post } = shown;
  if (!post) return undefined;
  const [author, steps, history, messages] = await Promise.all([
    people.readName(look, row.author),
    needsApproval(row, review.policy) ? describeReview(look, people, review) : [],
    describeHistory(look, people, review, reader),
    findMessages(look, row),
  ]);
  const { project } = describeContent(heldPosts, readHeldContent(heldPosts, row));
  return {
    ...{ post: { ...post, ...(row.publish_at && { scheduleDate: row.publish_at }) }, author, history },
    project: { id: row.project, name: shown.project ?? project },
    facts: { at: row.publish_at, ...shown.facts },
    review: steps,
    slack: messages.length > 0 ? `${SLACK}${rest}` : undefined,
  };
}

async function describeReview(look: Look, people: People, review: LoadedReview): Promise<ReviewStep[]> {
  const result = evaluateReview(review);
  const current = result.kind === 'approved' ? review.policy.reviewSteps.length : result.step;
  return mapLimited([...review.policy.reviewSteps.keys()], async (step): Promise<ReviewStep> => {
    const approvers = review.events
      .filter(
        (event) =>
          event.kind === 'approved' && event.step === step && event.content_hash === review.post.content_hash,
      )
      .map(({ actor }) => actor);
    const isCurrent = step === current;
    const asked = isCurrent && result.kind === 'pending' ? result.asked : [];
    const state =
      step < current
        ? 'approved'
        : isCurrent && result.kind === 'unknown'
          ? 'unknown'
          : isCurrent
            ? 'waits'
            : 'next';
    const shown = [...new Set(state === 'approved' ? approvers : [...approvers, ...asked])].slice(0, 5);
    const names = await mapLimited(shown, async (user) => (await people.readName(look, user)) ?? 'Somebody');
    return { state, people: names };
  });
}

/** Entries of a history on a page. */
const MAX_ENTRIES = 100;

async function describeHistory(
  look: Look,
  people: People,
  { post, events }: LoadedReview,
  reader: PageReader,
): Promise<HistoryLine[]> {
  const entries = readHistory(look.context.heldPosts, post, events, { viewers: reader, now: look.now() });
  return mapLimited(entries.slice(-MAX_ENTRIES), async ({ event, text, differences }) => {
    const { kind, actor, at } = event;
    const name = actor === '' ? undefined : ((await people.readName(look, actor)) ?? 'Somebody');
    return {
      at,
      deed:
        name === undefined
          ? (getEventFacts(kind).ownDeed ?? 'I changed it')
          : `${name} ${renderPersonDeed(kind)}`,
      details: text === undefined ? differences.map(renderPostDifference) : [text],
    };
  });
}

async function findListed(
  look: PageLook,
  people: People,
  { project: projectId, at, id }: { project: string; at: Date; id: string },
): Promise<FoundPost | 'unread' | 'unknown' | undefined> {
  if (look.lacks('viewer', projectId)) return undefined;
  if (!look.may('viewer', projectId)) return 'unknown';
  const { context, actor } = look;
  const known = await listProjects(look);
  const project = known?.projects.find((each) => each.id === projectId);
  if (!project) return known?.isComplete ? undefined : 'unread';
  const outcome = await readInTime(look, () =>
    context.reads.posts.listRange(context.api, projectId, { from: at, to: at }),
  );
  if (outcome.kind !== 'done') return 'unread';
  const post = outcome.data.items.find((each) => each.id === id);
  if (!post) return undefined;
  const authors = await findPostAuthors(context.heldPosts, actor.workspace, new Map([[projectId, [post]]]));
  const author = authors.get(post);
  return {
    ...{ post, project },
    facts: { zone: post.timezone, at: post.scheduleDate, status: post.status, readAt: outcome.data.readAt },
    author: author === undefined ? undefined : await people.readName(look, author),
    review: [],
    history: undefined,
    slack: undefined,
  };
}

/** Finds out what is known of a post's file. Only files of this site are shown. */
async function findMedia(
  { look, address }: PageRequest,
  { media, altText }: CardPost,
): Promise<Pick<PostPage, 'media' | 'mediaHost'>> {
  if (media === undefined || media.trim() === '') return { media: undefined, mediaHost: undefined };
  const url = URL.parse(media);
  const file = await look.context.media.find(look.actor.workspace, media);
  const isHere = file !== undefined && file !== 'gone';
  return {
    media: {
      facts: file === 'gone' ? undefined : file?.facts,
      path: isHere ? findOwnPath(media, address) : undefined,
      altText,
    },
    mediaHost: url?.host,
  };
}
