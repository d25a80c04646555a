import type { Button, KnownBlock, Overflow } from '@slack/types';
import { renderDay } from '../../digests/content/days.ts';
import {
  type Digest,
  type DigestSettings,
  isPausedByUpnext,
  isPersonal,
  toRecurrence,
} from '../../digests/digest.ts';
import { renderPauseReason } from '../../digests/messages/notices.ts';
import { isChannelId } from '../../forms/conversation.ts';
import type { NamedRecord } from '../../forms/field.ts';
import type { Call } from '../../handlers/call.ts';
import { renderPostTime } from '../../posts/post-time.ts';
import {
  actions,
  addAccessibilityLabel,
  button,
  clipLine,
  context,
  divider,
  escapeText,
  option,
  section,
} from '../../slack/blocks.ts';
import { addBlocks, type Message } from '../../slack/message.ts';
import { renderNote } from '../../when/format-moment.ts';
import { renderRecurrence } from '../../when/recurrence.ts';
import { capitalize } from '../../words.ts';
import { type DigestViewer, loadViewer } from './digest-form-context.ts';
import { mayManage } from './permit-digest.ts';

/**
 * The buttons of a digest in the list and in the questions. 'more' is the menu beside [Edit]. A personal digest's
 * buttons have other action ids, because they need another role.
 */
export const DIGEST_BUTTONS = ['edit', 'more', 'preview', 'send', 'delete'] as const;
export type DigestButton = (typeof DIGEST_BUTTONS)[number];
/** The items of a digest's menu. [Send now] and [Delete] ask in a message, because Slack has no dialog for one item. */
const MENU_ITEMS = ['preview', 'ask-send', 'pause', 'resume', 'ask-delete'] as const;
type MenuItem = (typeof MENU_ITEMS)[number];
/** Action id of [Cancel] in a question, which shows the list again. */
export const CANCEL_ACTION = 'digests.cancel';
export const NEW_DIGEST_ACTION = 'digests.new';

/** Maximum digests in the list. Each digest takes three blocks, and Slack allows 50 blocks in a message. */
const MAX_LISTED_DIGESTS = 15;

export function buildButtonId(name: DigestButton, isPersonalDigest: boolean): string {
  return `digests.${isPersonalDigest ? 'my-' : ''}${name}`;
}

/** Renders the list. `result`: what came of a press, shown above it (mrkdwn). */
function renderDigestList(list: DigestList, result?: string): Message {
  const { digests, manageableDigests, viewer, isInChannel, unreadableCount } = list;
  const placeText = isInChannel ? 'here or for you' : 'for you';
  const emptyText = `There’s no digest ${placeText}.`;
  const shownDigests = digests.slice(0, MAX_LISTED_DIGESTS);
  const hiddenCount = digests.length - shownDigests.length;
  const unreadableText = renderUnreadableCount(unreadableCount);
  const lines = shownDigests.map(
    (digest) => `${renderDigest(digest, viewer)}\n${renderNextOccurrence(digest)}`,
  );
  return {
    text: [result, ...(lines.length > 0 || unreadableCount > 0 ? lines : [emptyText]), unreadableText]
      .filter((line) => line !== undefined)
      .join(' '),
    blocks: [
      ...(result === undefined ? [] : [section(result)]),
      ...(shownDigests.length === 0 && unreadableCount === 0 ? [section(emptyText)] : []),
      ...shownDigests.flatMap((digest, index) => [
        ...(index > 0 ? [divider()] : []),
        section(lines[index] ?? ''),
        actions(...buildDigestButtons(digest, manageableDigests.has(digest), viewer)),
      ]),
      ...(hiddenCount > 0 ? [context(`${hiddenCount} more aren’t shown.`)] : []),
      ...(unreadableText === undefined ? [] : [context(unreadableText)]),
      ...(shownDigests.length === 0 ? [] : [divider()]),
      actions(button('New digest', NEW_DIGEST_ACTION)),
    ],
  };
}

function renderUnreadableCount(count: number): string | undefined {
  if (count === 0) return undefined;
  return count === 1 ? 'I can’t show one digest.' : `I can’t show ${count} digests.`;
}

function buildDigestButtons(
  digest: Digest,
  mayManage: boolean,
  { locale }: Pick<DigestViewer, 'locale'>,
): (Button | Overflow)[] {
  const isPersonalDigest = isPersonal(digest);
  const name = renderSchedule(digest, locale);
  if (!mayManage) {
    const preview = button('Preview for me', buildButtonId('preview', isPersonalDigest), digest.id);
    return [addAccessibilityLabel(preview, `Preview for me: ${name}`)];
  }
  const edit = button('Edit', buildButtonId('edit', isPersonalDigest), digest.id);
  return [
    addAccessibilityLabel(edit, `Edit: ${name}`),
    {
      type: 'overflow',
      action_id: buildButtonId('more', isPersonalDigest),
      options: [
        option('Preview for me', encodeMenuItem('preview', digest)),
        option('Send now', encodeMenuItem('ask-send', digest)),
        digest.state === 'paused'
          ? option('Resume', encodeMenuItem('resume', digest))
          : option('Pause', encodeMenuItem('pause', digest)),
        option('Delete', encodeMenuItem('ask-delete', digest)),
      ],
    },
  ];
}

function encodeMenuItem(item: MenuItem, { id }: Digest): string {
  return `${item} ${id}`;
}

/** Decodes the chosen item of a menu and the id of its digest. `item` is undefined if this version doesn't know it. */
export function decodeMenuItem(value: string): { item: MenuItem | undefined; id: string } {
  const [name, id = ''] = value.split(' ');
  return { item: MENU_ITEMS.find((item) => item === name), id };
}

/** Renders the question before a digest is sent or deleted. It replaces the list. */
export function renderQuestion(question: 'send' | 'delete', digest: Digest, viewer: DigestViewer): Message {
  const isPersonalDigest = isPersonal(digest);
  const readersText = isPersonalDigest ? 'I’ll send it to you.' : 'Everybody in the channel will see it.';
  const { title, text, label, style } = {
    send: { title: 'Send this digest now?', text: readersText, label: 'Send now', style: 'primary' } as const,
    delete: {
      title: 'Delete this digest?',
      text: 'This can’t be undone.',
      label: 'Delete',
      style: 'danger',
    } as const,
  }[question];
  return {
    text: `${title} ${text}`,
    blocks: [
      section(`*${title}*\n${text}`),
      section(renderDigest(digest, viewer)),
      actions(
        button(label, buildButtonId(question, isPersonalDigest), digest.id, style),
        button('Cancel', CANCEL_ACTION),
      ),
    ],
  };
}

/** Renders the digests that the person may send at once, each with its button. */
function renderSendNow(digests: readonly Digest[], viewer: DigestViewer): Message {
  const title = digests.length === 1 ? 'Send this digest now?' : 'Which digest should I send now?';
  const shownDigests = digests.slice(0, MAX_LISTED_DIGESTS);
  return {
    text: title,
    blocks: [
      section(`*${title}*`),
      ...shownDigests.map((digest) => ({
        ...section(renderDigest(digest, viewer)),
        accessory: addAccessibilityLabel(
          button('Send now', buildButtonId('send', isPersonal(digest)), digest.id),
          `Send now: ${renderSchedule(digest, viewer.locale)}`,
        ),
      })),
      ...(digests.length > shownDigests.length
        ? [context(`${digests.length - shownDigests.length} more aren’t shown.`)]
        : []),
      ...(shownDigests.every(isPersonal) ? [] : [context('Everybody in its channel will see it.')]),
    ],
  };
}

export function renderSavedMessage(digest: Digest, options: DigestViewer & { now: Date }): Message {
  const { text, blocks } = renderSavedDigest(digest, { ...options, isNew: true });
  return { text, blocks: [...blocks, actions(...buildDigestButtons(digest, true, options))] };
}

/** Renders a message with a button that opens the form. Used if the command has no trigger for opening a form. */
export function renderFormOffer(): Message {
  const message = { text: 'One more choice is needed. Nothing was saved.' };
  return addBlocks(message, actions(button('Fill in the form', NEW_DIGEST_ACTION)));
}

export const DIGEST_GONE: Message = {
  text: 'This digest no longer exists. See your digests with `/upnext digest`.',
};

const MAX_NAMED_PROJECTS = 3;

/**
 * Renders a digest's schedule as plain text, such as "Weekly · Mondays at 09:00 (Lisbon)". A digest about one day names
 * only its days, because it may come once a week too.
 */
function renderSchedule(
  digest: Pick<DigestSettings, 'kind' | 'days' | 'time' | 'zone'>,
  locale: string | undefined,
): string {
  const recurrence = renderNote(renderRecurrence(toRecurrence(digest)), locale).replace(
    /^every (\w+day) /,
    '$1s ',
  );
  const days = capitalize(recurrence);
  return digest.kind === 'weekly' ? `Weekly · ${days}` : days;
}

/** Renders a digest as two lines of mrkdwn: its schedule, and below its channel and projects. */
function renderDigest(
  digest: Pick<DigestSettings, 'channel' | 'kind' | 'days' | 'time' | 'zone' | 'projects'>,
  { projects, locale }: DigestViewer,
): string {
  const place = isPersonal(digest) ? 'Direct message to you' : `<#${digest.channel}>`;
  return `*${escapeText(renderSchedule(digest, locale))}*\n${place} · ${escapeText(renderProjects(digest, projects))}`;
}

/** Renders the first projects' names as plain text. All other projects, also those without a name, are counted. */
function renderProjects(
  { projects: ids }: Pick<DigestSettings, 'projects'>,
  projects: readonly NamedRecord[],
): string {
  if (ids === 'channel') return 'this channel’s projects';
  const names = ids.flatMap((id) => projects.find((project) => project.id === id)?.name ?? []);
  const shownNames = names.slice(0, MAX_NAMED_PROJECTS).map((name) => clipLine(name));
  const hiddenCount = ids.length - shownNames.length;
  if (shownNames.length === 0) return hiddenCount === 1 ? 'one project' : `${hiddenCount} projects`;
  return [...shownNames, ...(hiddenCount > 0 ? [`${hiddenCount} more`] : [])].join(', ');
}

/** Renders the day of the digest's next occurrence, or the reason for its pause, as mrkdwn. */
function renderNextOccurrence(digest: Digest): string {
  if (digest.state === 'paused') {
    return isPausedByUpnext(digest) ? `Paused: ${renderPauseReason(digest)}.` : 'Paused.';
  }
  return digest.nextSlot ? `Next: ${renderDay(digest.nextSlot.date)}` : 'This digest will stop.';
}

export function renderSavedDigest(
  digest: Digest,
  { now, isNew, ...viewer }: DigestViewer & { now: Date; isNew: boolean },
): Message & { blocks: KnownBlock[] } {
  const { nextSlot, zone } = digest;
  const nextText = nextSlot
    ? `The ${isNew ? 'first' : 'next'} digest comes on ${renderPostTime({ instant: nextSlot.instant, zone }, { locale: viewer.locale }, now).mrkdwn}.`
    : renderNextOccurrence(digest);
  const shownDigest = renderDigest(digest, viewer);
  const text = `Saved. ${nextText}`;
  const readersText = digest.sharedWith
    ? 'Everyone in the channel will see the posts, including people from outside your organisation.'
    : 'Everyone in the channel will see the posts.';
  return {
    text: `${text} ${shownDigest}`,
    blocks: [section(text), section(shownDigest), ...(isPersonal(digest) ? [] : [context(readersText)])],
  };
}

/** Creates the list of the channel's and the person's digests. `result`: what came of a press (mrkdwn). */
export async function createDigestListMessage(call: Call, result?: string) {
  return renderDigestList(await readDigestList(call), result);
}

/** Creates the message that offers to send a digest at once, or else the list. */
export async function createSendNowMessage(call: Call) {
  const list = await readDigestList(call);
  const manageable = [...list.manageableDigests].filter((digest) => !isPausedByUpnext(digest));
  return manageable.length > 0 ? renderSendNow(manageable, list.viewer) : renderDigestList(list);
}

type DigestList = Awaited<ReturnType<typeof readDigestList>>;

async function readDigestList(call: Call) {
  const { actor, channel } = call;
  const { digests } = call.context;
  const isInChannel = isChannelId(channel);
  const [channelList, personalList, viewer] = await Promise.all([
    isInChannel ? digests.list({ workspace: actor.workspace, channel }) : undefined,
    digests.list({ workspace: actor.workspace, channel: actor.user }),
    loadViewer(call),
  ]);
  const allDigests = [...(channelList?.digests ?? []), ...personalList.digests];
  const mayManageEach = await Promise.all(allDigests.map((digest) => mayManage(call, digest)));
  return {
    digests: allDigests,
    /** The digests that the actor may change. The others have only a preview button. */
    manageableDigests: new Set(allDigests.filter((_, index) => mayManageEach[index])),
    viewer,
    /** Whether the list is shown in a channel, and not in a direct message. */
    isInChannel,
    /** The number of stored digests that this version can't read. */
    unreadableCount: (channelList?.unreadableCount ?? 0) + personalList.unreadableCount,
  };
}
