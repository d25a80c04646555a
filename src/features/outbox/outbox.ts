import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { ACTIONS } from '../../submissions/said/state-blocks.ts';
import { outboxMessage, readOutbox } from './outbox-list.ts';
import { pressDecision, pressEdit } from './outbox-presses.ts';

/** What people have submitted and has not ended well yet. */
export const outbox: Feature = {
  name: 'outbox',
  commands: [
    {
      name: 'outbox',
      aliases: ['pending', 'waiting', 'unsent'],
      summary: 'What you sent and is not done yet: on its way, waiting, uncertain, failed',
      usage: '',
      examples: ['/upnext outbox'],
      run: showOutbox,
    },
  ],
  // Everybody may look after their own; what they may do with it is asked again when it is sent.
  role: () => 'viewer',
  actions: {
    [ACTIONS.check]: (call) => pressDecision(call, 'check'),
    [ACTIONS.again]: (call) => pressDecision(call, 'again'),
    [ACTIONS.discard]: (call) => pressDecision(call, 'discard'),
    [ACTIONS.draft]: (call) => pressDecision(call, 'draft'),
    [ACTIONS.edit]: (call) => pressEdit(call, 'edit'),
    [ACTIONS['new-time']]: (call) => pressEdit(call, 'new-time'),
  },
};

async function showOutbox(call: CommandCall): Promise<void> {
  await call.reply(outboxMessage(await readOutbox(call)));
}
