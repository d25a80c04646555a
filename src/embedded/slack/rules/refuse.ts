import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { MESSAGE_TEXT, textLength } from './message-text.ts';
import type { Problem } from './problem.ts';
import { problemsOfBlocks, problemsOfOptions, problemsOfView } from './problems.ts';

/** The JSON of a view (docs.slack.dev, "Views": 250 KB). */
const VIEW_BYTES = 250 * 1024;

function messagesOf(problems: readonly Problem[]): string[] {
  return problems.map((problem) => `[ERROR] ${problem.says} [json-pointer:${problem.pointer}]`);
}

function invalidArguments(problems: readonly Problem[]): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages: messagesOf(problems) } });
}

/** The view, if Slack would take it as this type; else refused as `views.*` does. */
export function acceptedView(view: unknown, type: 'modal' | 'home'): Json {
  if (!isRecord(view)) throw invalidArguments([{ says: 'must provide an object', pointer: '/view' }]);
  const problems = problemsOfView(view);
  if (problems.length > 0) throw invalidArguments(problems);
  if (view.type !== type)
    throw invalidArguments([{ says: 'must be a valid enum value', pointer: '/view/type' }]);
  if (Buffer.byteLength(JSON.stringify(view)) > VIEW_BYTES) throw new Refusal('view_too_large');
  return view;
}

/** The blocks, if Slack would take them in a message; else refused as `chat.*` does. */
export function acceptedBlocks(blocks: unknown): Json[] {
  if (!Array.isArray(blocks)) throw new Refusal('invalid_blocks_format');
  const problems = problemsOfBlocks(blocks);
  if (problems.length > 0) {
    throw new Refusal('invalid_blocks', {
      errors: problems.map((problem) => `${problem.says} [json-pointer:${problem.pointer}]`),
      response_metadata: { messages: messagesOf(problems) },
    });
  }
  if (textLength(blocks) > MESSAGE_TEXT) throw new Refusal('msg_blocks_too_long');
  return blocks.filter(isRecord);
}

/** The answer to an options request, if Slack would take it. */
export function acceptedOptions(answer: unknown): Json {
  if (!isRecord(answer)) return { options: [] };
  const problems = problemsOfOptions(answer);
  if (problems.length > 0) throw invalidArguments(problems);
  return 'option_groups' in answer
    ? { option_groups: answer.option_groups }
    : { options: answer.options ?? [] };
}
