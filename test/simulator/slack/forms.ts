import { acceptView } from './accept-content.ts';
import { findOptionsProblems, isInputBlock } from './check-blocks.ts';
import { findActor, findElement, findTopView, findViewById } from './find-actor.ts';
import {
  computeValues,
  findClientError,
  getString,
  isRecord,
  listElements,
  listOptions,
  readValue,
} from './read-blocks.ts';
import { Refusal } from './refusal.ts';
import { getTitle } from './render-view.ts';
import { buildViewObject } from './slack-objects.ts';
import {
  buildInteraction,
  createRequest,
  parseBody,
  type Response,
  type SlackRequest,
} from './slack-request.ts';
import type { SlackState } from './slack-state.ts';
import { blocksOf, optionsKey, type View, type Workspace } from './workspace.ts';

/** Slack shows this in a form if the app didn't acknowledge its submission, or returned an invalid response. */
const CONNECTION_ERROR = 'We had some trouble connecting. Try again?';

/** The characters that a person types before Slack asks for options. */
const MIN_QUERY_LENGTH = 3;

/** Reads the errors of an acknowledgement. Slack accepts them only under inputs. */
function readErrors(view: View, given: unknown): Record<string, string> {
  const errors = Object.entries(isRecord(given) ? given : {});
  const areValid = errors.every(
    ([blockId, text]) => isInputBlock(blocksOf(view), blockId) && typeof text === 'string',
  );
  if (errors.length === 0 || !areValid) throw new Refusal('invalid_response');
  return Object.fromEntries(errors.map(([blockId, text]) => [blockId, String(text)]));
}

function applyResponseAction(state: SlackState, workspace: Workspace, view: View, response: Response): void {
  if (response?.status !== 200) throw new Refusal('no_response');
  const answer = response.body === '' ? {} : parseBody(response.body);
  if (!isRecord(answer)) throw new Refusal('invalid_response');
  const isOpen = state.getStack(workspace, view.person).includes(view);
  switch (answer.response_action) {
    case undefined:
      state.closeView(workspace, view);
      break;
    case 'clear':
      state.clearViews(workspace, view.person);
      break;
    case 'errors':
      state.showErrors(workspace, view, readErrors(view, answer.errors));
      break;
    case 'update': {
      const content = acceptView(workspace, answer.view, 'modal');
      if (isOpen) state.updateView(view, content);
      break;
    }
    case 'push': {
      const content = acceptView(workspace, answer.view, 'modal');
      if (isOpen) state.pushView(workspace, view.person, content);
      break;
    }
    default:
      throw new Refusal('invalid_response');
  }
}

/** Applies the acknowledgement of a submission. An empty one closes the view. */
function applyViewResponse(state: SlackState, workspace: Workspace, view: View, response: Response): void {
  view.isSubmitting = false;
  try {
    applyResponseAction(state, workspace, view, response);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    state.showErrors(workspace, view, { '': CONNECTION_ERROR });
  }
}

/** What people do with forms: look for options, submit and close. */
export function createForms(state: SlackState) {
  return {
    /**
     * Asks for the options of an external menu. They can be chosen after the response. Slack may send stale values of the
     * view, or none (bolt-js #1146, #660).
     */
    loadOptions(
      viewId: string,
      blockId: string,
      actionId: string,
      query: string,
      sentState: 'current' | 'stale' | 'missing' = 'current',
    ): SlackRequest | undefined {
      const found = findViewById(state, viewId);
      const listed = found && findElement(blocksOf(found.view), { blockId, actionId });
      if (!listed) return undefined;
      const { workspace, view } = found;
      const { min_query_length: minLength = MIN_QUERY_LENGTH } = listed.element;
      if (!/external_select$/.test(listed.type) || query.length < Number(minLength)) return undefined;
      const values = sentState === 'stale' ? computeValues(blocksOf(view), {}) : view.values;
      const { state: viewState, ...rest } = buildViewObject(workspace, view, values);
      return createRequest(workspace, view.person, {
        kind: 'options',
        description: `looks for “${query}” in ${listed.label}`,
        fields: {
          ...buildInteraction(workspace, view.person, 'block_suggestion'),
          container: { type: 'view', view_id: viewId },
          view: sentState === 'missing' ? rest : { ...rest, state: viewState },
          action_id: actionId,
          block_id: blockId,
          value: query,
        },
        onResponse(response) {
          const answer = response?.status === 200 ? parseBody(response.body) : undefined;
          const isValid = isRecord(answer) && findOptionsProblems(answer).length === 0;
          view.loadedOptions.set(optionsKey(blockId, actionId), isValid ? listOptions(answer) : []);
        },
      });
    },

    /** The options that an external menu has loaded. */
    listLoadedOptions(viewId: string, blockId: string, actionId: string): { value: string; label: string }[] {
      const loaded = findViewById(state, viewId)?.view.loadedOptions.get(optionsKey(blockId, actionId)) ?? [];
      return loaded.map((option) => ({
        value: getString(option, 'value'),
        label: isRecord(option.text) ? getString(option.text, 'text') : '',
      }));
    },

    /** Submits the top view. Undefined if it can't be submitted, also if Slack's client finds an error in it. */
    submit(workspaceId: string, person: string, viewId: string): SlackRequest | undefined {
      const workspace = findActor(state, workspaceId, person);
      const view = workspace && findTopView(state, workspace, person, viewId);
      if (!view || !isRecord(view.content.submit)) return undefined;
      const errors = listElements(blocksOf(view)).flatMap((listed) => {
        const elementState = view.values[listed.blockId]?.[listed.actionId];
        const error = listed.isInput ? findClientError(listed, elementState) : undefined;
        return error === undefined ? [] : [[listed.blockId, error] as const];
      });
      view.errors = {};
      if (errors.length > 0) {
        state.showErrors(workspace, view, Object.fromEntries(errors));
        return undefined;
      }
      view.isSubmitting = true;
      const urls = listElements(blocksOf(view)).flatMap(({ element, blockId, actionId }) => {
        const chosen = readValue(view.values[blockId]?.[actionId]);
        const channel = typeof chosen === 'string' ? workspace.channels.get(chosen) : undefined;
        if (element.response_url_enabled !== true || !channel) return [];
        const response_url = state.createResponseUrl('actions', {
          workspace,
          channel,
          person,
          ts: undefined,
        });
        return [{ block_id: blockId, action_id: actionId, channel_id: channel.id, response_url }];
      });
      return createRequest(workspace, person, {
        kind: 'view',
        description: `submits ${viewId} (${getTitle(view)})`,
        fields: {
          ...buildInteraction(workspace, person, 'view_submission'),
          trigger_id: state.createTrigger(workspace, person, viewId),
          view: buildViewObject(workspace, view),
          response_urls: urls,
        },
        onResponse: (response) => applyViewResponse(state, workspace, view, response),
      });
    },

    /**
     * Closes the top view, or all of them if it has `clear_on_close`. The app is notified of views with `notify_on_close`,
     * without their values (bolt-python, tests/scenario_tests/test_view_closed.py).
     */
    close(workspaceId: string, person: string, viewId: string): SlackRequest[] {
      const workspace = state.requireWorkspace(workspaceId);
      const stack = state.getStack(workspace, person);
      const view = stack.at(-1);
      if (!view || view.id !== viewId) return [];
      const isCleared = view.content.clear_on_close === true;
      const closed = isCleared ? stack : [view];
      if (isCleared) state.clearViews(workspace, person);
      else state.closeView(workspace, view);
      if (!findActor(state, workspaceId, person)) return [];
      return closed
        .filter(({ content }) => content.notify_on_close === true)
        .map((each) =>
          createRequest(workspace, person, {
            kind: 'closed',
            description: `closes ${each.id} (${getTitle(each)})`,
            fields: {
              ...buildInteraction(workspace, person, 'view_closed'),
              view: buildViewObject(workspace, each, {}),
              is_cleared: isCleared,
              response_urls: [],
            },
          }),
        );
    },
  };
}
