import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { textLength } from './message-text.ts';
import type { Problem } from './problem.ts';
import { problemsOfBlocks, problemsOfOptions, problemsOfView } from './problems.ts';
import { SLACK_LIMITS } from './slack-limits.ts';

function messagesOf(problems: readonly Problem[]): string[] {
  return problems.map((problem) => `[ERROR] ${problem.says} [json-pointer:${problem.pointer}]`);
}

/** `views.*` and options requests refuse like this. */
export function refusedView(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages: messagesOf(problems) } });
}

/** `chat.*` refuse like this. */
export function refusedBlocks(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_blocks', {
    errors: problems.map((problem) => `${problem.says} [json-pointer:${problem.pointer}]`),
    response_metadata: { messages: messagesOf(problems) },
  });
}

/** The view, if Slack would take it as this type; else refused as `views.*` does. */
export function acceptedView(view: unknown, type: 'modal' | 'home'): Json {
  if (!isRecord(view)) throw refusedView([{ says: 'must provide an object', pointer: '/view' }]);
  const problems = problemsOfView(view);
  if (problems.length > 0) throw refusedView(problems);
  if (view.type !== type) throw refusedView([{ says: 'must be a valid enum value', pointer: '/view/type' }]);
  if (Buffer.byteLength(JSON.stringify(view)) > SLACK_LIMITS.viewBytes.is)
    throw new Refusal('view_too_large');
  return view;
}

/** The blocks, if Slack would take them in a message; else refused as `chat.*` does. */
export function acceptedBlocks(blocks: unknown): Json[] {
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const problems = problemsOfBlocks(blocks);
  if (problems.length > 0) throw refusedBlocks(problems);
  if (textLength(blocks) > SLACK_LIMITS.textInBlocks.is) throw new Refusal('msg_blocks_too_long');
  return blocks.filter(isRecord);
}

/** The answer to an options request, if Slack would take it. */
export function acceptedOptions(answer: unknown): Json {
  if (!isRecord(answer)) return { options: [] };
  const problems = problemsOfOptions(answer);
  if (problems.length > 0) throw refusedView(problems);
  return 'option_groups' in answer
    ? { option_groups: answer.option_groups }
    : { options: answer.options ?? [] };
}
