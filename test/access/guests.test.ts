import type { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { createGuestLookup } from '../../src/access/guests.ts';
import { createPersonLookup } from '../../src/access/people.ts';

/** Whether guests are in a channel of the workspace T1, by what Slack says of the people in it. */

const fail = (error: unknown) => {
  throw error;
};

function findGuests(people: Record<string, object>) {
  const client = {
    conversations: { members: async () => ({ members: Object.keys(people) }) },
    users: { info: async ({ user }: { user: string }) => ({ user: people[user] }) },
  } as unknown as WebClient;
  const clock = () => 0;
  const lookup = createGuestLookup({ clock, findPerson: createPersonLookup(clock, fail), onError: fail });
  return lookup(client, { workspace: 'T1', channel: 'C1' });
}

const member = { team_id: 'T1', is_restricted: false, is_ultra_restricted: false };

test.each([
  ['a member', member, 'no'],
  ['a multi-channel guest', { ...member, is_restricted: true }, 'yes'],
  ['a single-channel guest', { ...member, is_ultra_restricted: true }, 'yes'],
  ['a deactivated guest', { ...member, is_restricted: true, deleted: true }, 'no'],
  [
    'a guest of another workspace of the organisation',
    { ...member, team_id: 'T2', is_restricted: true },
    'yes',
  ],
  ['a member of another workspace of the organisation', { ...member, team_id: 'T2' }, 'no'],
  ['a guest of another organisation', { team_id: 'T9', is_restricted: true }, 'yes'],
  ['a bot', { ...member, is_bot: true }, 'no'],
])('%s', async (_who, person, answer) => {
  expect(await findGuests({ U1: member, U2: person })).toBe(answer);
});
