import { randomUUID } from 'node:crypto';
import type { Call } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { fetchReader } from '../../forms/form-context.ts';
import { renderCount } from '../../posts/post-count.ts';
import { renderPostTime, type Viewer } from '../../posts/post-time.ts';
import { context } from '../../slack/blocks.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { onDuplicate, storeCopyOfOnlyPost } from './duplicate-next.ts';
import { loadNextPosts } from './load-next-posts.ts';
import { onShare } from './share-next.ts';
import {
  CONFIRM_SHARE_OUTSIDE_ACTION,
  DUPLICATE_ACTION,
  isDirectMessage,
  REFRESH_ACTION,
  renderButtons,
  renderCard,
  SCHEDULE_ACTION,
  SHARE_ACTION,
} from './up-next-messages.ts';

/**
 * Matches "When is the next post?", "what’s next", "which post goes out next?", but not "what is planned next week?".
 */
const ASKS_FOR_NEXT =
  /^(?:so |and )?(?:when|what|which)(?:['’]?s)?\s.*\bnext(?:\s*[?!.]*$|\s(?:post|one|up|in|for|to)\b)/isu;

/** `/upnext` shows the next post of each project that the channel is about. */
export const upNext: Feature = {
  name: 'up-next',
  commands: [
    {
      name: 'next',
      aliases: ['up', 'upcoming', 'show'],
      summary: 'The next post',
      usage: '',
      phrases: ASKS_FOR_NEXT,
      examples: { '/upnext': 'See the next post.', '/upnext next': 'The same.' },
      button: 'What’s next',
      isReadOnly: true,
      deed: 'open the next post',
      run: (call) => showNext(call, { replace: false }),
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
    [SCHEDULE_ACTION]: {
      deed: 'open the post form',
      role: 'contributor',
      run: (call) =>
        call.openFeature('schedule-post', {
          ...(call.action.value !== undefined && { project: call.action.value }),
        }),
    },
    [REFRESH_ACTION]: { deed: 'open the next post', run: (call) => showNext(call, { replace: true }) },
    [SHARE_ACTION]: { deed: 'share the next post', run: onShare },
    [CONFIRM_SHARE_OUTSIDE_ACTION]: {
      deed: 'share the next post with people outside the workspace',
      role: 'owner',
      run: onShare,
    },
    [DUPLICATE_ACTION]: { deed: 'open the form for a copy of a post', role: 'contributor', run: onDuplicate },
  },
};

function showNext(call: Call, options: { replace: boolean }): Promise<void> {
  return replyInTime(call, renderNextMessage(call, options), {
    slowMs: call.context.pace.slowNoticeDelayMs,
    ...options,
  });
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
  const card = renderCard(loadResult.nextPosts, {
    now,
    viewers: viewer,
    reference,
  });
  const isShareable =
    loadResult.isProjectChosen && call.channel !== undefined && !isDirectMessage(call.channel);
  const cardId = isShareable ? randomUUID() : undefined;
  const notes = [
    ...(loadResult.note === undefined ? [] : [loadResult.note]),
    ...(loadResult.otherProjectCount > 0
      ? [
          `…and ${loadResult.isTruncated ? 'at least ' : ''}${renderCount(loadResult.otherProjectCount, 'more project')}: \`/upnext projects\`.`,
        ]
      : []),
    ...(options.replace ? [renderRefreshTime(now, viewer)] : []),
  ];
  const blocks = [
    ...card.blocks,
    ...(notes.length > 0 ? [context(...notes)] : []),
    renderButtons(loadResult.nextPosts, {
      cardId,
      copyId: await storeCopyOfOnlyPost(call, loadResult.nextPosts),
    }),
  ];
  return { ...card, blocks };
}

/** Renders the time of the refresh, so that a press has a visible effect. */
function renderRefreshTime(now: Date, viewer: Viewer): string {
  return `As of ${renderPostTime({ instant: now, zone: undefined }, viewer, now).clock}`;
}
