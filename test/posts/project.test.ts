import { describe, expect, test } from 'vitest';
import type { Project } from '../../src/api/projects.ts';
import { addMissingProjects, resolveChannelProject } from '../../src/posts/project.ts';

const listed = (ids: readonly string[], isTruncated: boolean) => ({
  shape: 'read' as const,
  items: ids.map((id): Project => ({ id, name: `Name of ${id}` })),
  unreadable: 0,
  isTruncated,
});
const anybody = { may: () => true };

describe('a project missing from the list', () => {
  test('doesn’t exist if the list is complete', () => {
    expect(addMissingProjects(listed(['p1'], false), ['p9'], anybody).items).toHaveLength(1);
  });

  test('may exist if the list is truncated, with its known name or its id', () => {
    const { items } = addMissingProjects(
      listed(['p1'], true),
      ['p1', 'p9', { id: 'p8', name: 'Eight' }, 'p9'],
      anybody,
    );
    expect(items).toEqual([
      { id: 'p1', name: 'Name of p1' },
      { id: 'p9', name: 'p9' },
      { id: 'p8', name: 'Eight' },
    ]);
  });

  test('isn’t shown to a person who may not see it', () => {
    const may = (_role: string, project?: string) => project !== 'p9';
    expect(addMissingProjects(listed(['p1'], true), ['p9'], { may }).items.map(({ id }) => id)).toEqual([
      'p1',
    ]);
  });
});

describe('in a truncated list', () => {
  test('one project isn’t the only one, and none doesn’t mean that there are none', () => {
    expect(resolveChannelProject(listed(['p1'], false), undefined).kind).toBe('one');
    expect(resolveChannelProject(listed(['p1'], true), undefined).kind).toBe('several');
    expect(resolveChannelProject(listed(['p1'], true), 'p1').kind).toBe('one');
    expect(resolveChannelProject(listed([], false), undefined).kind).toBe('none');
    expect(resolveChannelProject(listed([], true), undefined).kind).toBe('several');
  });
});
