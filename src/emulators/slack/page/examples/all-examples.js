import { chartExamples } from './chart-examples.js';
import { elementExamples } from './element-examples.js';
import { richExamples } from './rich-examples.js';
import { textExamples } from './text-examples.js';

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
export function allExamples(origin) {
  const picture = `${origin}/page/examples/cup.svg`;
  return [...textExamples(picture), ...richExamples(picture), ...chartExamples, ...elementExamples(picture)];
}
