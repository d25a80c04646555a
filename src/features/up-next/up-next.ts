import { randomUUID } from 'node:crypto';
import type { Role } from '../../access/access.ts';
import type { ActionCall, Call } from '../../app/call.ts';
import type { Attempt, Feature } from '../../app/feature.ts';
import { context } from '../../slack/blocks.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { lookUpNext } from './look-up.ts';
import { keepForAgain, scheduleAgain } from './schedule-again.ts';
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

/** The next post of the channel's project, or of each of its projects. */
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
    'team:read': 'to name the organisations that read a channel, before something is shared there',
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
    ...(how.replace ? [asOf(now)] : []),
  ];
  const blocks = [
    ...card.blocks,
    ...(notes.length > 0 ? [context(...notes)] : []),
    nextButtons(found.next, { share, again: await keepForAgain(call, found.next) }),
  ];
  return { ...card, blocks };
}

/** That the press did something, in each reader's own zone. */
function asOf(now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return `As of <!date^${seconds}^{time_secs}|${now.toISOString().slice(11, 19)} UTC>`;
}
