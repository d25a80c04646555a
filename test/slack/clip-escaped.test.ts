import { expect, test } from 'vitest';
import { clipEscaped, escapeText } from '../../src/slack/blocks.ts';

test('a shortened escaped text never ends inside an entity', () => {
  for (const text of ['&'.repeat(20), '<&>'.repeat(10), `a${'>'.repeat(20)}`]) {
    for (let limit = 6; limit < 40; limit += 1) {
      const clipped = clipEscaped(escapeText(text), limit);
      expect(clipped.length).toBeLessThanOrEqual(limit);
      expect(clipped.replace(/&(?:amp|lt|gt);/g, ''), clipped).not.toContain('&');
    }
  }
});
