import { expect, test } from 'vitest';
import { findOfferedRole } from '../../src/app/permission.ts';
import { type Sent, watchSent } from '../support/sent-to-slack.ts';
import { setUpBot } from '../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

test('the menu of Home has only the commands that the viewer may use', async () => {
  const sentPayloads: Sent[] = [];
  const { stop } = watchSent({ onSent: (payload) => sentPayloads.push(payload) });
  await startBot({ membersDefaultRole: 'viewer' });
  await running.workspace.as('Ben').home('Commands');
  const view = JSON.stringify(sentPayloads.findLast(({ to }) => to === 'views.publish')?.payload.view);
  stop();
  expect(view).toContain('/upnext templates');
  for (const command of ['sources', 'logs', 'prompt', 'invite', 'webhook', 'connect', 'audit'])
    expect(view).not.toContain(`/upnext ${command}`);
});

test('if a person’s roles couldn’t be found out, all commands are offered', () => {
  const viewer = { role: 'viewer', project: '', reason: { kind: 'members' } } as const;
  const member = { kind: 'member', isAdmin: false, roles: [viewer] } as const;
  expect(findOfferedRole({ ...member, isIncomplete: false })).toBe('viewer');
  expect(findOfferedRole({ ...member, isIncomplete: true })).toBe('owner');
});
