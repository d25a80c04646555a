import { plainSection } from '../../../slack/blocks.ts';
import { escapeText } from '../../../slack/escape.ts';
import type { Message } from '../../../slack/message.ts';
import { type PlannedPost, statusOf } from '../plan.ts';
import { fullMoment, postExcerpt, projectName, type RenderOptions } from './lines.ts';

/** A direct message to the author of a post that wasn't published in time. */
export function latePostMessage(planned: PlannedPost, options: RenderOptions): Message {
  const status = statusOf(planned) === 'SCHEDULED' ? 'still says scheduled' : 'does not say published';
  const line = [
    `Your post for ${projectName(planned.project)} was to go out ${fullMoment(planned.at, options)}.`,
    `The scheduling service ${status}. Please look there what holds it up.`,
  ].join(' ');
  const words = postExcerpt(planned);
  return { text: escapeText(`${line} ${words}`), blocks: [plainSection(line), plainSection(words)] };
}
