import { acceptContent } from './accept-content.ts';
import { getString, isRecord } from './read-blocks.ts';
import { Refusal } from './refusal.ts';
import type { SlackState } from './slack-state.ts';
import type { ResponseTarget } from './workspace.ts';

/**
 * Applies a response of the app, through a response_url or as the acknowledgement of a command: sends a message, to the
 * person only unless `response_type` is `in_channel`, or replaces or deletes the message of the interaction.
 */
export function respond(state: SlackState, target: ResponseTarget, response: unknown): void {
  const { workspace, channel, person, ts } = target;
  const body = typeof response === 'string' ? { text: response } : response;
  if (!isRecord(body)) throw new Refusal('invalid_payload');
  const isSet = (name: string) => body[name] === true || body[name] === 'true';
  const original = ts === undefined ? undefined : state.findMessage(workspace, channel.id, ts);
  if (isSet('delete_original')) {
    if (original) state.deleteMessage(workspace, original);
    return;
  }
  const content = acceptContent(workspace, getString(body, 'text'), body.blocks ?? undefined);
  if (isSet('replace_original') && original) {
    state.changeMessage(workspace, original, content);
    return;
  }
  const ephemeralTo = body.response_type === 'in_channel' ? undefined : person;
  const threadTs = getString(body, 'thread_ts') || undefined;
  state.addMessage(
    workspace,
    { channel: channel.id, user: workspace.botUser, ephemeralTo, threadTs },
    content,
  );
}
