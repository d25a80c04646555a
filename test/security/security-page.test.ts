import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Checks that the references of SECURITY.md exist.

const page = readFileSync('SECURITY.md', 'utf8');

/** The anchors of a page's headings, as GitHub builds them. */
const listAnchors = (markdown: string) =>
  [...markdown.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

test('SECURITY.md refers only to files and headings that exist', () => {
  const links = [...page.matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, path = '', anchor]) => ({
    path: path || 'SECURITY.md',
    anchor,
  }));
  expect(links.length).toBeGreaterThan(15);
  const broken = links.filter(
    ({ path, anchor }) =>
      !existsSync(path) ||
      (anchor !== undefined && !listAnchors(readFileSync(path, 'utf8')).includes(anchor)),
  );
  expect(broken).toEqual([]);
});
