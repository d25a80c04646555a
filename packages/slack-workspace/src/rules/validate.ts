import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { countTextCharacters } from './block-list-rules.ts';
import { findBlockProblems, findOptionsProblems, findViewProblems } from './find-problems.ts';
import type { Problem } from './problem.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

function formatMessages(problems: readonly Problem[]): string[] {
  return problems.map(({ message, pointer }) => `[ERROR] ${message} [json-pointer:${pointer}]`);
}

/** The error of `views.*` methods and options requests. */
export function createViewRefusal(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages: formatMessages(problems) } });
}

/** The error of `chat.*` methods. */
export function createBlocksRefusal(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_blocks', {
    errors: problems.map(({ message, pointer }) => `${message} [json-pointer:${pointer}]`),
    response_metadata: { messages: formatMessages(problems) },
  });
}

/** Returns the view. Throws a {@link Refusal} if Slack would refuse it, or if it isn't of this type. */
export function validateView(view: unknown, type: 'modal' | 'home'): Json {
  if (!isRecord(view)) {
    throw createViewRefusal([{ message: 'must provide an object', pointer: '/view' }]);
  }
  const problems = findViewProblems(view);
  if (problems.length > 0) throw createViewRefusal(problems);
  if (view.type !== type) {
    throw createViewRefusal([{ message: 'must be a valid enum value', pointer: '/view/type' }]);
  }
  if (Buffer.byteLength(JSON.stringify(view)) > SLACK_LIMITS.viewBytes.value) {
    throw new Refusal('view_too_large');
  }
  return view;
}

/** Returns the blocks. Throws a {@link Refusal} if Slack would refuse them in a message. */
export function validateBlocks(blocks: unknown): Json[] {
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const problems = findBlockProblems(blocks);
  if (problems.length > 0) throw createBlocksRefusal(problems);
  if (countTextCharacters(blocks) > SLACK_LIMITS.blocksTextLength.value) {
    throw new Refusal('msg_blocks_too_long');
  }
  return blocks.filter(isRecord);
}

/** Returns the app's answer to an options request. Throws a {@link Refusal} if Slack would refuse it. */
export function validateOptions(answer: unknown): Json {
  if (!isRecord(answer)) return { options: [] };
  const problems = findOptionsProblems(answer);
  if (problems.length > 0) throw createViewRefusal(problems);
  return 'option_groups' in answer
    ? { option_groups: answer.option_groups }
    : { options: answer.options ?? [] };
}
