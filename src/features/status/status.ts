import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { checkChannel, checkDigests, checkRights, checkSending, checkService, checkZone } from './checks.ts';
import { statusMessage } from './status-message.ts';

/** Whether everything is in place where it is asked, and what to do where it is not. */
export const status: Feature = {
  name: 'status',
  commands: [
    {
      name: 'status',
      aliases: ['state', 'health', 'check'],
      summary: 'Whether everything is in place here, and what to do where it is not',
      usage: '',
      examples: ['/upnext status'],
      run: showStatus,
    },
  ],
  role: () => 'viewer',
};

function showStatus(call: CommandCall): Promise<void> {
  return replyInTime(call, statusOf(call), { slowMs: call.context.pace.slowMs });
}

async function statusOf(call: CommandCall): Promise<Message> {
  const checked = await Promise.all([
    checkChannel(call),
    checkRights(call),
    checkService(call),
    checkZone(call),
    checkSending(call),
    checkDigests(call),
  ]);
  return statusMessage(checked.flat());
}
