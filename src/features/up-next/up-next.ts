import { randomUUID } from 'node:crypto';
import type { Role } from '../../access/access.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { context } from '../../slack/blocks.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { lookUpNext } from './look-up.ts';
import { scheduleAgain, storeForScheduleAgain } from './schedule-again.ts';
import { shareNext } from './share-next.ts';
import {
  AGAIN,
  isDirectMessage,
  nextButtons,
  nextCard,
  REFRESH,
  SCHEDULE,
  SHARE,
  SHARE_OUTSIDE,
} from './up-next-messages.ts';

/** Shows the next post of each project that the channel is about. */
export const upNext: Feature = {
  name: 'up-next',
  commands: [
    {
      name: 'next',
      aliases: ['up', 'upcoming', 'show'],
      summary: 'The next post to go out',
      usage: '',
      examples: ['/upnext', '/upnext next'],
      button: 'What is next',
      run: (call) => showNext(call, { replace: false }),
    },
  ],
  role: roleFor,
  scopes: {
    'team:read': 'to name the other organisations in a shared channel before something is shared there',
  },
  open: (call) => showNext(call, { replace: true }),
  actions: {
    [SCHEDULE]: (call: ActionCall) =>
      call.openFeature('schedule-post', {
        ...(call.action.value !== undefined && { project: call.action.value }),
      }),
    [REFRESH]: (call) => showNext(call, { replace: true }),
    [SHARE]: shareNext,
    [SHARE_OUTSIDE]: shareNext,
    [AGAIN]: scheduleAgain,
  },
};

function roleFor(attempt: Attempt): Role {
  if (attempt.surface !== 'action') return 'viewer';
  if (attempt.id === SHARE_OUTSIDE) return 'owner';
  return [SCHEDULE, AGAIN].includes(attempt.id) ? 'contributor' : 'viewer';
}

function showNext(call: Call, how: { replace: boolean }): Promise<void> {
  return replyInTime(call, nextMessage(call, how), { slowMs: call.context.pace.slowMs, ...how });
}

async function nextMessage(call: Call, how: { replace: boolean }): Promise<Message> {
  const found = await lookUpNext(call);
  if ('instead' in found) return found.instead;
  const { reference } = call;
  const now = call.now();
  const card = nextCard(found.next, { now, practice: call.context.isEmulated, reference });
  const isShareable = found.isChosen && call.channel !== undefined && !isDirectMessage(call.channel);
  const share = isShareable ? randomUUID() : undefined;
  const notes = [
    ...(found.others > 0
      ? [`…and ${found.isTruncated ? 'at least ' : ''}${found.others} more projects: \`/upnext projects\`.`]
      : []),
    ...(how.replace ? [asOfText(now)] : []),
  ];
  const blocks = [
    ...card.blocks,
    ...(notes.length > 0 ? [context(...notes)] : []),
    nextButtons(found.next, { share, again: await storeForScheduleAgain(call, found.next) }),
  ];
  return { ...card, blocks };
}

/** The time of a refresh, in each reader's zone: it shows that the press did something. */
function asOfText(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `As of <!date^${seconds}^{time_secs}|${now.toISOString().slice(11, 19)} UTC>`;
}
