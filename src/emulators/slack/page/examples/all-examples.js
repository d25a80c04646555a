import { chartExamples } from './chart-examples.js';
import { createElementExamples } from './element-examples.js';
import { createRichExamples } from './rich-examples.js';
import { createTextExamples } from './text-examples.js';

/**
 * Examples of every kind of block and element. The page shows them, and tests check them against the rules and against
 * @slack/types.
 * @import { Block, KnownBlock } from '@slack/types'
 * @typedef {{ title: string, surface?: 'message' | 'modal', blocks: (Block | KnownBlock)[] }} Example `surface` defaults to a message.
 */

/**
 * @param {string} origin of the workspace, which serves the pictures: `http://127.0.0.1:3001`
 * @returns {Example[]}
 */
export function listExamples(origin) {
  const picture = `${origin}/page/examples/cup.svg`;
  return [
    ...createTextExamples(picture),
    ...createRichExamples(picture),
    ...chartExamples,
    ...createElementExamples(picture),
  ];
}
