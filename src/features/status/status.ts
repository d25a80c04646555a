import type { Role } from '../../access/roles.ts';
import type { CommandCall, Feature } from '../../slack/feature.ts';
import type { Parts } from '../../submissions/parts.ts';
import { checkDigests } from './check-digests.ts';
import { checkSending } from './check-sending.ts';
import { checkService } from './check-service.ts';
import { checkChannel, checkRights } from './check-slack.ts';
import { checkZone } from './check-zone.ts';
import { statusMessage } from './status-message.ts';

/** Whether everything is in place where it is asked, and what to do where it is not. */
export const status: Feature<Parts, Role> = {
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

async function showStatus(call: CommandCall<Parts>): Promise<void> {
  const checked = await Promise.all([
    checkChannel(call),
    checkRights(call),
    checkService(call),
    checkZone(call),
    checkSending(call),
    checkDigests(call),
  ]);
  await call.reply(statusMessage(checked.flat()));
}
