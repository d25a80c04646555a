import { quoted } from '../../../slack/blocks.ts';
import { escapeText } from '../../../slack/escape.ts';
import type { Message } from '../../../slack/message.ts';
import { type Planned, statusOf } from '../plan.ts';
import { fullMoment, nameOf, type Seen, wordsOf } from './lines.ts';

/** To whoever scheduled a post that has not gone out. */
export function lateDirect(planned: Planned, seen: Seen): Message {
  const status = statusOf(planned) === 'SCHEDULED' ? 'still says scheduled' : 'does not say published';
  const line = [
    `Your post for ${nameOf(planned.project)} was to go out ${fullMoment(planned.at, seen)}.`,
    `The scheduling service ${status}. Please look there what holds it up.`,
  ].join(' ');
  const words = wordsOf(planned);
  return { text: escapeText(`${line} ${words}`), blocks: [quoted(line), quoted(words)] };
}
