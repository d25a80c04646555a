import { getString, type Json, type ViewValues } from './read-blocks.ts';
import { type Channel, currentVersion, type Message, type View, type Workspace } from './workspace.ts';

export const APP_ID = 'A0SIMULATED';

/** Escapes `&`, `<` and `>`, except for an `&` that is already part of an escape. */
function escapeOnce(text: string): string {
  return text
    .replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Texts as Slack returns them: with `&`, `<` and `>` escaped in plain text. */
export function formatTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formatTexts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, formatTexts(inner)]);
  const formatted: Json = Object.fromEntries(entries);
  return formatted.type === 'plain_text'
    ? { emoji: true, ...formatted, text: escapeOnce(getString(formatted, 'text')) }
    : formatted;
}

/** A message in Slack's shape, without its metadata. */
export function buildMessageObject(workspace: Workspace, message: Message): Json {
  const { text, blocks } = currentVersion(message);
  return {
    type: 'message',
    user: message.user,
    ...(message.isByApp && { bot_id: workspace.botId, app_id: APP_ID }),
    text: text.replaceAll(/&(?!(?:amp|lt|gt);)/g, '&amp;'),
    ts: message.ts,
    team: workspace.id,
    ...(message.threadTs !== undefined && { thread_ts: message.threadTs }),
    blocks: blocks.length > 0 ? formatTexts(blocks) : buildTextBlocks(text, message.ts),
  };
}

/** Without blocks, Slack makes a rich_text block of the text. */
function buildTextBlocks(text: string, id: string): Json[] {
  const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return [{ type: 'rich_text', block_id: `t${id}`, elements: [section] }];
}

/** A view in Slack's shape. */
export function buildViewObject(workspace: Workspace, view: View, values: ViewValues = view.values): Json {
  const { content } = view;
  return {
    id: view.id,
    team_id: workspace.id,
    type: content.type,
    blocks: formatTexts(content.blocks),
    private_metadata: content.private_metadata ?? '',
    callback_id: content.callback_id ?? '',
    state: { values: formatTexts(values) },
    hash: view.hash,
    title: content.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: content.clear_on_close ?? false,
    notify_on_close: content.notify_on_close ?? false,
    close: content.close ?? null,
    submit: content.submit ?? null,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    app_id: APP_ID,
    external_id: content.external_id ?? '',
    app_installed_team_id: workspace.id,
    bot_id: workspace.botId,
  };
}

/** Slack hides the names of private conversations. */
export function buildChannelPart({ id, name, kind }: Channel): { id: string; name: string } {
  return { id, name: { public: name, private: 'privategroup', im: 'directmessage' }[kind] };
}
