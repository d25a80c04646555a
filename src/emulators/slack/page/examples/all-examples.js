import { chartExamples } from './chart-examples.js';
import { createElementExamples } from './element-examples.js';
import { createRichExamples } from './rich-examples.js';
import { createTextExamples } from './text-examples.js';

/**
 * An example of every kind of block and element. The page shows them, and the tests hold them against the rules and
 * against @slack/types.
 * @import { Block, KnownBlock } from '@slack/types'
 * @typedef {{ title: string, surface?: 'message' | 'modal', blocks: (Block | KnownBlock)[] }} Example `surface`: a message where it is left out
 */

/**
 * @param {string} origin of the workspace, `http://127.0.0.1:3001`: the pictures are there
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
