import { areBlocksTooLong, findMessageProblems, findViewProblems } from './check-blocks.ts';
import { isRecord, type Json } from './read-blocks.ts';
import { Refusal } from './refusal.ts';
import type { Version, Workspace } from './workspace.ts';

export type Content = Pick<Version, 'text' | 'blocks'>;

const MAX_TEXT_LENGTH = 40_000;

export function refuseArguments(messages: readonly string[]): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages } });
}

const hasFile = (workspace: Workspace) => (id: string) => workspace.files.get(id)?.status === 'complete';

/** Returns the content of a message if Slack accepts it. */
export function acceptContent(workspace: Workspace, text: string, given: unknown): Content {
  if (given !== undefined && !Array.isArray(given)) throw new Refusal('invalid_blocks_format');
  const blocks = given ?? [];
  const messages = findMessageProblems(blocks, hasFile(workspace));
  if (messages.length > 0)
    throw new Refusal('invalid_blocks', { errors: messages, response_metadata: { messages } });
  if (areBlocksTooLong(blocks)) throw new Refusal('msg_blocks_too_long');
  if (text === '' && blocks.length === 0) throw new Refusal('no_text');
  return { text: text.slice(0, MAX_TEXT_LENGTH), blocks };
}

/** Returns the view if Slack accepts it. */
export function acceptView(workspace: Workspace, view: unknown, type: 'modal' | 'home'): Json {
  const messages = findViewProblems(view, type, hasFile(workspace));
  if (messages.length > 0 || !isRecord(view)) throw refuseArguments(messages);
  return view;
}
