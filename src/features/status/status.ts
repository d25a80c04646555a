import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { checkChannel, checkDigests, checkScopes, checkSending, checkService, checkZone } from './checks.ts';
import { renderStatus } from './status-message.ts';

/** `/upnext status` checks all that posts and digests in this channel depend on. */
export const status: Feature = {
  name: 'status',
  commands: [
    {
      name: 'status',
      aliases: ['state', 'health', 'check'],
      summary: 'Check that everything works here',
      usage: '',
      examples: ['/upnext status'],
      run: showStatus,
    },
  ],
  role: () => 'viewer',
};

function showStatus(call: CommandCall): Promise<void> {
  return replyInTime(call, checkAll(call), { slowMs: call.context.pace.slowNoticeDelayMs });
}

async function checkAll(call: CommandCall): Promise<Message> {
  const lines = await Promise.all([
    checkChannel(call),
    checkScopes(call),
    checkService(call),
    checkZone(call),
    checkSending(call),
    checkDigests(call),
  ]);
  return renderStatus(lines.flat());
}
