import type { Call } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { replyInTime } from '../../slack/list-answers.ts';
import type { Message } from '../../slack/message.ts';
import { checkService } from './check-service.ts';
import {
  checkChannel,
  checkDigests,
  checkOutbox,
  checkScopes,
  checkSending,
  checkStoppedProjects,
  checkZone,
} from './checks.ts';
import { CHECK_ACTION, type CheckResult, renderStatus } from './status-message.ts';

/** `/upnext status` checks all that posts and digests in this channel depend on. */
export const status: Feature = {
  name: 'status',
  commands: [
    {
      name: 'status',
      aliases: ['state', 'health', 'check'],
      summary: 'Check that everything works here',
      usage: '',
      examples: { '/upnext status': 'Check this channel and all connections.' },
      isReadOnly: true,
      deed: 'check Upnext’s status',
      run: (call) => showStatus(call, { replace: false }),
    },
  ],
  role: 'viewer',
  actions: {
    [CHECK_ACTION]: { deed: 'check Upnext’s status', run: (call) => showStatus(call, { replace: true }) },
  },
};

function showStatus(call: Call, { replace }: { replace: boolean }): Promise<void> {
  return replyInTime(call, checkAll(call), { slowMs: call.context.pace.slowNoticeDelayMs, replace });
}

/** The checks by what they check. */
const CHECKS: Readonly<Record<string, (call: Call) => Promise<CheckResult | CheckResult[]>>> = {
  Channel: checkChannel,
  Permissions: checkScopes,
  Service: checkService,
  'Time zone': checkZone,
  Sending: checkSending,
  Projects: checkStoppedProjects,
  Digests: checkDigests,
  Outbox: checkOutbox,
};

async function checkAll(call: Call): Promise<Message> {
  const lines = await Promise.all(
    Object.entries(CHECKS).map(async ([subject, check]) =>
      [await check(call)].flat().map((result) => ({ subject, ...result })),
    ),
  );
  return renderStatus(lines.flat());
}
