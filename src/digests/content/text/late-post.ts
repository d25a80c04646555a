import { escapeText, plainSection } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { getStatus, type PlannedPost } from '../plan.ts';
import { type RenderOptions, renderExcerpt, renderFullMoment, renderProjectName } from './lines.ts';

/** Renders a direct message to the author of a post that wasn't published in time. */
export function renderLatePost(planned: PlannedPost, options: Pick<RenderOptions, 'zone' | 'now'>): Message {
  const status =
    getStatus(planned) === 'SCHEDULED' ? 'still lists it as scheduled' : 'doesn’t list it as published';
  const line = [
    `Your post for ${renderProjectName(planned.project)} was due ${renderFullMoment(planned.scheduledAt, options)},`,
    `but the scheduling service ${status}. Check there what’s holding it up.`,
  ].join(' ');
  const excerpt = renderExcerpt(planned);
  return { text: escapeText(`${line} ${excerpt}`), blocks: [plainSection(line), plainSection(excerpt)] };
}
