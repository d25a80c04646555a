import { expect, test } from 'vitest';
import type { Access } from '../../src/access/access.ts';
import { narrowContext } from '../../src/app/narrowed-context.ts';
import type { AppContext } from '../../src/handlers/call.ts';

const cachedProjects = {
  isReadable: true,
  items: [
    { id: 'p1', name: 'Harbour Coffee' },
    { id: 'p2', name: 'Night Market Books' },
  ],
  unreadableCount: 0,
  isTruncated: true,
};

test('people see only those cached projects in which they have a role', () => {
  const context = { reads: { getLastProjects: () => cachedProjects, posts: {} } } as unknown as AppContext;
  const access: Access = {
    kind: 'member',
    isAdmin: false,
    isIncomplete: false,
    roles: [{ role: 'viewer', project: 'p2', reason: { kind: 'given', by: 'UANA' } }],
  };
  const visibleProjects = narrowContext(context, access, 'viewer').reads.getLastProjects(context.api);
  expect(visibleProjects?.items.map(({ id }) => id)).toEqual(['p2']);
  expect(visibleProjects).toMatchObject({ isTruncated: true, unfilteredCount: 2 });
});
