import { addDefaults } from '../blocks/returned-blocks.ts';
import { escapeText } from '../blocks/returned-text.ts';
import { getRecord, getRecords, getText, isRecord, type Json } from '../json.ts';
import type { ElementState, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { buildFileObject } from './file-object.ts';
import { findFile } from './files.ts';
import type { StoredView } from './saved-state.ts';

/** Slack returns the label of an option with `&`, `<` and `>` escaped (bolt-python #513). */
function formatOption(option: unknown): unknown {
  const label = isRecord(option) ? getText(option, 'text') : undefined;
  if (!isRecord(option) || label === undefined) return option;
  const text = { emoji: true, ...getRecord(option, 'text'), text: escapeText(label) };
  return { ...option, text };
}

/** The state of an element in the shape that apps get. The page's own state has only the ids of files. */
export function formatElementState(site: Site, state: ElementState): ElementState {
  const { selected_option: option, selected_options: options } = state;
  if (option !== undefined) return { ...state, selected_option: formatOption(option) };
  if (Array.isArray(options)) return { ...state, selected_options: options.map(formatOption) };
  if (state.type !== 'file_input') return state;
  const files = getRecords(state, 'files').flatMap((entry) => findFile(site, String(entry.id)) ?? []);
  return { ...state, files: files.map((file) => buildFileObject(site, file)) };
}

/** `state` of a view or message. */
export function formatState(site: Site, values: ViewValues): Json {
  const forApp = Object.fromEntries(
    Object.entries(values).map(([blockId, states]) => [
      blockId,
      Object.fromEntries(
        Object.entries(states).map(([actionId, state]) => [actionId, formatElementState(site, state)]),
      ),
    ]),
  );
  return { values: forApp };
}

function fillInDefaults(view: Json): Json {
  const full = addDefaults(view);
  return isRecord(full) ? full : view;
}

/** A view in Slack's own shape, for interactions and the responses of views.*. */
export function buildViewObject(site: Site, stored: StoredView): Json {
  const { team, app } = site.state;
  const view = fillInDefaults(stored.view);
  return {
    id: stored.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: formatState(site, stored.values),
    hash: stored.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: view.clear_on_close ?? false,
    notify_on_close: view.notify_on_close ?? false,
    close: view.close ?? null,
    submit: view.submit ?? null,
    previous_view_id: stored.previousId,
    root_view_id: stored.rootId,
    app_id: app.id,
    external_id: view.external_id ?? '',
    app_installed_team_id: site.state.app.organisation ?? site.state.team.id,
    bot_id: app.botId,
  };
}
