import { type Json, recordsIn } from '../json.ts';
import type { ElementState, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { fileObject } from './file-object.ts';
import { fileById } from './files.ts';
import { holderOf } from './organisations.ts';
import type { StoredView } from './saved-state.ts';

/** What the page keeps of a chosen file is short; an app gets all of it. */
function stateForApp(site: Site, state: ElementState): ElementState {
  if (state.type !== 'file_input') return state;
  const files = recordsIn(state, 'files').flatMap((entry) => fileById(site, String(entry.id)) ?? []);
  return { ...state, files: files.map((file) => fileObject(site, file)) };
}

function valuesForApp(site: Site, values: ViewValues): ViewValues {
  return Object.fromEntries(
    Object.entries(values).map(([blockId, states]) => [
      blockId,
      Object.fromEntries(
        Object.entries(states).map(([actionId, state]) => [actionId, stateForApp(site, state)]),
      ),
    ]),
  );
}

/** A view as Slack sends it to an app, in interactions and in the answers of views.*. */
export function viewObject(site: Site, stored: StoredView): Json {
  const { team, app } = site.state;
  const { view } = stored;
  return {
    id: stored.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.private_metadata ?? '',
    callback_id: view.callback_id ?? '',
    state: { values: valuesForApp(site, stored.values) },
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
    app_installed_team_id: holderOf(site),
    bot_id: app.botId,
  };
}
