import { expect, test } from 'vitest';
import { createLinkLimit } from '../../src/web/link-limit.ts';

const limit = () => createLinkLimit(() => 0);

test('a workspace whose pages wait for its service leaves room for the pages of another one', async () => {
  const { enter } = limit();
  const pages = Array.from({ length: 9 }, (_, index) => enter({ workspace: 'T01SLOW', person: `U${index}` }));
  for (const page of pages) void page?.acquire();
  expect(pages.filter((page) => page && !page.isWaiting)).toHaveLength(3);
  await enter({ workspace: 'T02QUICK', person: 'U1' })?.acquire();
});

test('a person’s links share one limit of requests', () => {
  const { enter } = limit();
  const ofAna = Array.from({ length: 121 }, () => enter({ workspace: 'T01', person: 'U1' }));
  expect(ofAna.filter(Boolean)).toHaveLength(120);
  expect(enter({ workspace: 'T01', person: 'U2' })).toBeDefined();
});
