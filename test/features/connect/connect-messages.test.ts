import { expect, test } from 'vitest';
import type { OutcomeDetails } from '../../../src/api/outcome.ts';
import {
  renderConnectionError,
  renderConnections,
  renderVisibleProjects,
} from '../../../src/features/connect/connect-messages.ts';

/** Maximum number of blocks in a message in Slack. */
const MAX_BLOCKS = 50;

const createProjects = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, name: `P${index}` }));

test.each([
  [0, false, 'This token can’t see a project yet.'],
  [0, true, 'The token sees projects that I can’t read.'],
  [1, false, 'The token sees one project: P0.'],
  [1, true, 'The token sees more than one project: P0 and others.'],
  [5, false, 'The token sees 5 projects: P0, P1, P2, P3, P4.'],
  [7, false, 'The token sees 7 projects: P0, P1, P2, P3, P4 and 2 more.'],
  [2_000, true, 'The token sees more than 2000 projects: P0, P1, P2, P3, P4 and others.'],
])('for %i readable projects (the list is truncated: %s) the text is: %s', (count, isTruncated, text) =>
  expect(renderVisibleProjects({ items: createProjects(count), isTruncated })).toBe(text),
);

const problems = [{ field: undefined, loc: [], message: 'Invalid\ntoken', type: '' }];

test.each<[Exclude<OutcomeDetails<never>, { kind: 'done' }>, string]>([
  [{ kind: 'refused', status: 200, problems }, 'The scheduling service didn’t accept this. Invalid token'],
  [
    { kind: 'refused', status: 409 },
    'The scheduling service says that this conflicts with something it has.',
  ],
  [{ kind: 'invalid', problems }, 'The scheduling service didn’t accept this. Invalid token'],
  [
    { kind: 'unknown', cause: 'success-false', status: 201, problems },
    'The scheduling service didn’t answer properly. Invalid token',
  ],
  [{ kind: 'unknown', cause: 'unexpected-status', status: 404 }, 'This isn’t a scheduling service.'],
  [{ kind: 'unknown', cause: 'unreadable-response', status: 200 }, 'This isn’t a scheduling service.'],
])('the refusal %j of a service is not reported as a wrong address', (outcome, address) =>
  expect(renderConnectionError({ ...outcome, requestId: 'r' })).toEqual({ address }),
);

test('the connections of many projects are on pages, and each can be removed', () => {
  const connection = { url: 'https://posts.example', connectedBy: 'U1', connectedAt: new Date(0) };
  const connections = [
    { ...connection, id: '' },
    ...createProjects(45).map((project) => ({ ...connection, id: project.id, project })),
  ];
  const pages = [0, 1, 2].map((page) => renderConnections(connections, 'none', page).blocks ?? []);
  for (const blocks of pages) expect(blocks.length).toBeLessThanOrEqual(MAX_BLOCKS);
  const buttons = JSON.stringify(pages);
  for (const { id } of connections) expect(buttons).toContain(`"action_id":"connect.remove","value":"${id}"`);
  expect(pages.map((blocks) => JSON.stringify(blocks).match(/connect\.(?:previous|next)/g))).toEqual([
    ['connect.next'],
    ['connect.previous', 'connect.next'],
    ['connect.previous'],
  ]);
});

test('a busy app is not reported as a wrong address', () => {
  const error = renderConnectionError({ kind: 'not-applied', cause: 'busy', requestId: 'r' });
  expect(error).toEqual({ address: 'I’m busy reading other lists. Try again in a minute.' });
});
