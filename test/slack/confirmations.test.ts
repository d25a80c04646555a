import type { Button, KnownBlock } from '@slack/types';
import { expect, test } from 'vitest';
import { listRows, renderRoles } from '../../src/features/roles/roles-list.ts';
import { withConfirmation } from '../../src/slack/blocks.ts';
import { NOW } from '../support/bot.ts';

/** Finds a button by its label in messages' blocks. */
function findButton(blocks: readonly KnownBlock[] | undefined, label: string): Button | undefined {
  for (const block of blocks ?? []) {
    const accessory = block.type === 'section' ? block.accessory : undefined;
    for (const element of block.type === 'actions' ? block.elements : [accessory]) {
      if (element?.type === 'button' && element.text.text === label) return element;
    }
  }
  return undefined;
}

const grant = {
  workspace: 'T1',
  subjectKind: 'person',
  subject: 'U2',
  project: 'p1',
  role: 'publisher',
  reason: 'given',
  grantedBy: 'U1',
  grantedAt: NOW,
} as const;

const overview = {
  role: 'manager',
  assignedRoles: [],
  isIncomplete: false,
  isAdmin: true,
  page: listRows({ grants: [grant], defaultRoles: [], membersRole: undefined }, 0),
  areDefaultsMissing: false,
  outsiders: new Map(),
  pendingRequests: [],
  projectNames: new Map([['p1', 'Harbour Coffee']]),
  words: '',
} as const;

test('roles in many projects are a whole sentence', () => {
  const assignedRoles = Array.from({ length: 60 }, (_, index) => ({
    role: 'publisher' as const,
    project: `p${index}`,
    reason: { kind: 'group', group: 'S01EDITORS1', by: 'U01ANAFERR1' } as const,
  }));
  const projectNames = new Map(assignedRoles.map(({ project }) => [project, `${project} `.repeat(30)]));
  const { text, blocks } = renderRoles({ ...overview, assignedRoles, projectNames });
  expect(text).toMatch(/^You’re a Publisher in p0 .*\) and 40 more\.$/);
  expect(blocks?.[0]).toMatchObject({ text: { text: `*Roles*\n${text}` } });
});

test('claiming ownership asks for confirmation, and the dialog says that the other owners are notified', () => {
  const { confirm } = findButton(renderRoles(overview).blocks, 'Claim ownership') ?? {};
  expect(confirm?.title?.text).toBe('Claim ownership?');
  expect(confirm?.text.text).toContain('tell the other Owners');
  expect(confirm?.style).toBeUndefined();
});

test('taking a role back asks for confirmation with a red button, and the dialog names the role', () => {
  const { confirm } = findButton(renderRoles(overview).blocks, 'Take back') ?? {};
  expect(confirm?.text.text).toBe('This person loses the Publisher role in Harbour Coffee.');
  expect(confirm?.style).toBe('danger');
});

test('the texts of a dialog stay within Slack’s limits', () => {
  const longText = 'x'.repeat(500);
  const button = { type: 'button', text: { type: 'plain_text', text: 'Go' }, action_id: 'go' } as const;
  const { confirm } = withConfirmation(button, {
    title: longText,
    text: longText,
    confirm: longText,
    deny: longText,
  });
  const lengths = [confirm?.title, confirm?.text, confirm?.confirm, confirm?.deny].map(
    (text) => text?.text.length,
  );
  expect(lengths).toEqual([100, 300, 30, 30]);
});
