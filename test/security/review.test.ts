import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

// Checks that SECURITY-REVIEW.md is complete and that its references exist.

const page = readFileSync('SECURITY-REVIEW.md', 'utf8');
const requirements = page
  .split('\n')
  .filter((line) => /^\| [\d.]+ \| [12] \|/.test(line))
  .map((line) => {
    const [, id = '', , answer = ''] = line.split('|').map((cell) => cell.trim());
    return { id, answer };
  });

/** Number of level 1 and 2 requirements in each chapter of ASVS 5.0.0 (https://github.com/OWASP/ASVS/tree/v5.0.0). */
const CHAPTERS = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe('SECURITY-REVIEW.md', () => {
  test('the review answers every requirement of ASVS 5.0.0 levels 1 and 2 exactly once', () => {
    expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
    const byChapter = CHAPTERS.map(
      (_, index) => requirements.filter(({ id }) => id.startsWith(`${index + 1}.`)).length,
    );
    expect(byChapter).toEqual(CHAPTERS);
  });

  test('the review answers each requirement with met, not applicable or missing, and states the correct counts', () => {
    const counts = Map.groupBy(requirements, ({ answer }) => answer);
    expect([...counts.keys()].toSorted()).toEqual(['met', 'missing', 'not applicable']);
    const describeCount = (answer: string) => `${counts.get(answer)?.length} ${answer}`;
    expect(page).toContain(
      `${describeCount('met')}, ${describeCount('not applicable')}, ${describeCount('missing')}.`,
    );
  });

  test('the review refers only to files and headings that exist', () => {
    const files = [...page.matchAll(/`((?:src|test|openapi)\/[^`]+|manifest\.yml)`/g)].map(
      ([, path = '']) => path,
    );
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
    const headings = new Set(
      [
        ...[page, ...['SECURITY.md', 'OPERATING.md'].map((file) => readFileSync(file, 'utf8'))]
          .join('\n')
          .matchAll(/^##+ (.+)$/gm),
      ].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    const links = [...page.matchAll(/\]\((?:SECURITY\.md|OPERATING\.md)?#([^)]+)\)/g)].map(
      ([, anchor = '']) => anchor,
    );
    expect(links.filter((anchor) => !headings.has(anchor))).toEqual([]);
  });
});
