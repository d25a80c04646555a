import { findActor, findChannelOf } from './find-actor.ts';
import { Refusal } from './refusal.ts';
import { respond } from './respond.ts';
import { APP_ID, buildChannelPart, buildViewObject } from './slack-objects.ts';
import { createRequest, parseBody, type SlackRequest } from './slack-request.ts';
import type { SlackState } from './slack-state.ts';

/** Escapes what a person types, except for mentions such as `<@U1>`. */
function escapeTyped(text: string): string {
  return text
    .split(/(<[@#!][^<>]+>)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    )
    .join('');
}

/** Where people begin: slash commands and Home. */
export function createEntryPoints(state: SlackState) {
  return {
    typeCommand(
      workspaceId: string,
      person: string,
      channelId: string,
      command: string,
      text: string,
    ): SlackRequest | undefined {
      const workspace = findActor(state, workspaceId, person);
      const channel = workspace && findChannelOf(state, workspace, person, channelId);
      if (!channel) return undefined;
      const target = { workspace, channel, person, ts: undefined };
      const part = buildChannelPart(channel);
      const showFailure = (code: string) =>
        state.showNotice(workspace, person, channelId, `${command} failed with the error "${code}"`);
      return createRequest(workspace, person, {
        kind: 'command',
        description: `${command} ${text}`.trim(),
        fields: {
          token: 'simulated',
          team_id: workspaceId,
          team_domain: workspace.domain,
          channel_id: part.id,
          channel_name: part.name,
          user_id: person,
          user_name: workspace.people.get(person)?.name,
          command,
          text: escapeTyped(text),
          api_app_id: APP_ID,
          is_enterprise_install: false,
          response_url: state.createResponseUrl('commands', target),
          trigger_id: state.createTrigger(workspace, person),
        },
        onResponse(response) {
          if (!response) return showFailure('operation_timeout');
          if (response.status !== 200) return showFailure('dispatch_failed');
          if (response.body === '') return;
          try {
            respond(state, target, parseBody(response.body));
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            showFailure(error.code);
          }
        },
      });
    },

    /** Opens the app's Home tab. */
    openHome(workspaceId: string, person: string): SlackRequest[] {
      const workspace = findActor(state, workspaceId, person);
      if (!workspace) return [];
      const home = workspace.homes.get(person);
      const event = {
        type: 'app_home_opened',
        user: person,
        channel: state.openDirectMessage(workspace, person).id,
        tab: 'home',
        ...(home && { view: buildViewObject(workspace, home) }),
      };
      return [state.createEvent(workspace, event, { person, description: 'opens Home' })];
    },
  };
}
