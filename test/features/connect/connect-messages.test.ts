import { expect, test } from 'vitest';
import { seenWords, tryFault } from '../../../src/features/connect/connect-messages.ts';

const projects = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `p${at}`, name: `P${at}` }));

test.each([
  [0, false, 'The token sees no project yet.'],
  [0, true, 'The token sees projects that I can’t read.'],
  [1, false, 'The token sees one project: P0.'],
  [1, true, 'The token sees more than one project: P0 and others.'],
  [5, false, 'The token sees 5 projects: P0, P1, P2, P3, P4.'],
  [7, false, 'The token sees 7 projects: P0, P1, P2, P3, P4 and 2 more.'],
  [2_000, true, 'The token sees more than 2000 projects: P0, P1, P2, P3, P4 and others.'],
])('of %i projects that were read, with others unread (%s): %s', (count, isTruncated, said) => {
  expect(seenWords({ items: projects(count), isTruncated })).toBe(said);
});

test('a try that had to wait for other reads is not blamed on the address', () => {
  const fault = tryFault({ kind: 'not-applied', cause: 'busy', requestId: 'r' });
  expect(fault).toEqual({ address: 'I am reading as much as I can at once. Try again in a moment.' });
});
