import { getString, isRecord, type Json } from './read-blocks.ts';
import { getTitle, renderView } from './render-view.ts';
import type { SlackState } from './slack-state.ts';
import { blocksOf, type Message, type Version, type View } from './workspace.ts';

interface VisibleMessage {
  channel: string;
  ts: string;
  isByApp: boolean;
  /** Oldest first. The last one is current. */
  versions: readonly Version[];
}

interface VisibleView {
  id: string;
  title: string;
  /** What the app has stored in it. */
  metadata: string;
  text: string;
  blocks: readonly Json[];
  /** The values of the inputs, as in `state.values`. */
  values: View['values'];
  errors: Readonly<Record<string, string>>;
  isSubmittable: boolean;
}

/** What a person sees of the app. */
interface VisibleSlack {
  messages: VisibleMessage[];
  /** The top view. */
  view: VisibleView | undefined;
  /** The views below it, which come back when it closes. */
  covered: VisibleView[];
  home: VisibleView | undefined;
}

function describeView(view: View): VisibleView {
  const { content, values, errors } = view;
  return {
    id: view.id,
    title: getTitle(view),
    metadata: getString(content, 'private_metadata'),
    text: renderView(view, values),
    blocks: blocksOf(view),
    values,
    errors,
    isSubmittable: isRecord(content.submit),
  };
}

/** What a person sees. Nothing for a deactivated person. */
export function listVisible(state: SlackState, workspaceId: string, person: string): VisibleSlack {
  const workspace = state.requireWorkspace(workspaceId);
  if (!state.isActive(workspace, person))
    return { messages: [], view: undefined, covered: [], home: undefined };
  const isVisible = ({ channel, ephemeralTo }: Message) =>
    (ephemeralTo ?? person) === person && workspace.channels.get(channel)?.members.includes(person) === true;
  const stack = state.getStack(workspace, person);
  const top = stack.at(-1);
  const home = workspace.homes.get(person);
  return {
    messages: workspace.messages.filter(isVisible).map((message) => ({
      channel: message.channel,
      ts: message.ts,
      isByApp: message.isByApp,
      versions: message.versions,
    })),
    view: top && describeView(top),
    covered: stack.slice(0, -1).map((view) => describeView(view)),
    home: home && describeView(home),
  };
}
