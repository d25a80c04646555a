import type { SendingStop } from '../../engine/sending-stop.ts';
import type { NamedRecord } from '../../forms/field.ts';
import type { Call } from '../../handlers/call.ts';
import { getNoun } from '../../posts/post-text.ts';
import { listBoundChannels } from '../../preferences/bindings.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { mapLimited } from '../../promises.ts';
import { isDirectMessage } from '../../slack/audience.ts';
import { clipLine, escapeFormatting, escapeText, section } from '../../slack/blocks.ts';
import { fetchDisplayName } from '../../slack/fetch-people.ts';
import { buildFallbackText, type Message } from '../../slack/message.ts';
import { sendOrLog } from '../../slack/send-or-log.ts';
import { createReaders } from '../../submissions/shown.ts';
import { MAX_STOP_REASON_LENGTH } from '../../submissions/text/stop-text.ts';
import { renderCount } from '../../words.ts';
import type { AffectedPost } from './missed-posts.ts';
import type { Obstacle } from './stop-context.ts';
import { renderPostLines } from './stop-context.ts';

interface StopNews {
  kind: 'stopped' | 'resumed';
  project: NamedRecord;
  /** Undefined if the project isn't stopped any more. */
  stop?: SendingStop;
  /** The posts that wait, or go out as planned from now on. */
  waiting: readonly AffectedPost[];
  channel?: string | undefined;
  /** What keeps the posts from going out yet. */
  obstacle?: Obstacle | undefined;
}

/** Maximum number of channels that are told. Our own limit: hardly a project has more. */
const MAX_CHANNELS = 10;

/**
 * Tells the project's channels, and each author with an affected post once. Nobody is told of their own press. A message
 * that Slack doesn't accept is only logged: the posts' own messages and lists say it too.
 */
export async function notifyOfStop(call: Call, news: StopNews): Promise<void> {
  try {
    await sendNews(call, news);
  } catch (err) {
    call.log.warn({ reference: call.reference, err }, 'could not tell people of a stop or a resumption');
  }
}

async function sendNews(call: Call, news: StopNews): Promise<void> {
  const { actor } = call;
  const authors = new Set(news.waiting.map(({ author }) => author));
  authors.delete(actor.user);
  const mayRead = createReaderLookup(call, news.project.id);
  const [channels, name] = await Promise.all([listChannels(call, news), fetchDisplayName(call, actor.user)]);
  const messages = [
    ...channels.map((channel) => [channel, renderForChannel(name, news)] as const),
    ...[...authors].map((author) => [author, renderForAuthor(call, news, author)] as const),
  ];
  await mapLimited(messages, async ([to, message]) => {
    if (await mayRead(to)) await send(call, to, message);
  });
}

function send(call: Call, channel: string, message: Message) {
  return sendOrLog(call, channel, message, 'could not tell somebody of a stop or a resumption');
}

/** Whether whoever reads messages in this place may read of the project now. False if that couldn't be found out. */
function createReaderLookup({ context, client, actor, reference: id }: Call, project: string) {
  const { workspace } = actor;
  const readers = createReaders(context.submissions.context, client, { id, workspace });
  return (channel: string) => readers.mayRead({ channel }, project).catch(() => false);
}

/** Lists the channels that follow the project, get its requests, or in which it was stopped. */
async function listChannels(call: Call, { project, channel: pressedIn }: StopNews): Promise<string[]> {
  const { db } = call.context;
  const key = { workspace: call.actor.workspace, project: project.id };
  const [bound, policy] = await Promise.all([listBoundChannels(db, key), findPolicy(db, key)]);
  const channels = new Set([...bound, policy.channel, pressedIn]);
  const candidates = [...channels].filter((channel) => channel !== undefined);
  return candidates.filter((channel) => !isDirectMessage(channel)).slice(0, MAX_CHANNELS);
}

/** Says who did it, to which project, and why (mrkdwn). No full stop. */
function renderDeed(person: string, { kind, project, stop }: StopNews): string {
  const reason = clipLine(stop?.reason ?? '', MAX_STOP_REASON_LENGTH);
  const deed = `${person} ${kind} sending for *${escapeText(clipLine(project.name))}*`;
  return reason === '' ? deed : `${deed}: “${escapeFormatting(reason)}”`;
}

const EMOJI = { stopped: ':octagonal_sign:', resumed: ':white_check_mark:' } as const;
const ADVICE = 'A Manager can resume it with `/upnext resume`.';
const WHERE_WAITING = 'See them with `/upnext outbox` and `/upnext posts scheduled`.';

const CONDITIONS: Readonly<Record<Obstacle, string>> = {
  'all-stopped': ', once all sending is resumed',
  refused: ', once the scheduling service accepts my access',
};

function renderResumedFate(isOne: boolean, { obstacle }: StopNews): string {
  return `${isOne ? 'goes' : 'go'} out as planned${obstacle ? CONDITIONS[obstacle] : ''}`;
}

const listKinds = (posts: readonly AffectedPost[]) => posts.map(({ kind }) => kind);

/** Names the person, because a mention would notify them of their own press. */
function renderForChannel(name: string | undefined, news: StopNews): Message {
  const { kind, waiting } = news;
  const person = name === undefined ? 'Somebody' : escapeText(clipLine(name));
  const isOne = waiting.length === 1;
  const fate =
    kind === 'stopped'
      ? `${isOne ? 'waits' : 'wait'} until a Manager resumes it with \`/upnext resume\`.`
      : `${renderResumedFate(isOne, news)}.`;
  const advice = kind === 'stopped' ? [ADVICE] : [];
  const consequence =
    waiting.length === 0 ? advice : [`${renderCount(waiting.length, getNoun(listKinds(waiting)))} ${fate}`];
  const text = [`${renderDeed(person, news)}.`, ...consequence].join(' ');
  return { text, blocks: [section(`${EMOJI[kind]} ${text}`)] };
}

/** Names all of the author's posts, because each of them may have to act on one. */
function renderForAuthor(call: Call, news: StopNews, author: string): Message {
  const { kind } = news;
  const isOwn = (post: AffectedPost) => post.author === author;
  const waiting = news.waiting.filter(isOwn);
  const isOne = waiting.length === 1;
  const count = `${isOne ? 'One' : waiting.length} of your ${getNoun(listKinds(waiting))}s`;
  const fate =
    kind === 'stopped' ? `${isOne ? 'waits' : 'wait'} until it’s resumed` : renderResumedFate(isOne, news);
  const blocks = [
    section(`${EMOJI[kind]} ${renderDeed(`<@${call.actor.user}>`, news)}.`),
    ...(waiting.length === 0
      ? []
      : [section(`${count} ${fate}:`), ...renderPostLines(waiting, WHERE_WAITING)]),
    ...(kind === 'stopped' ? [section(ADVICE)] : []),
  ];
  return { text: buildFallbackText(blocks), blocks };
}
