import type { Json } from './read-blocks.ts';
import { APP_ID } from './slack-objects.ts';
import type { Workspace } from './workspace.ts';

/** A request that Slack sends to the app. */
export interface SlackRequest {
  kind: 'command' | 'action' | 'view' | 'closed' | 'options' | 'event';
  workspace: string;
  person: string;
  /** The line in the history: `/upnext stop`, `presses [Cancel] on 171.0001`. */
  description: string;
  contentType: string;
  body: string;
  /** What Slack does with the app's response. Undefined: the app didn't respond within 3 s. */
  onResponse(response: { status: number; body: string } | undefined): void;
}

export type Response = Parameters<SlackRequest['onResponse']>[0];

const FORM = 'application/x-www-form-urlencoded';

export function buildInteraction(workspace: Workspace, person: string, type: string): Json {
  const name = workspace.people.get(person)?.name ?? person;
  return {
    type,
    user: { id: person, username: name, name, team_id: workspace.id },
    api_app_id: APP_ID,
    token: 'simulated',
    team: { id: workspace.id, domain: workspace.domain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export function createRequest(
  workspace: Workspace,
  person: string,
  request: Pick<SlackRequest, 'kind' | 'description'> & {
    fields: Json;
    onResponse?(response: Response): void;
  },
): SlackRequest {
  const { kind, description, fields, onResponse = () => undefined } = request;
  const body =
    kind === 'command'
      ? new URLSearchParams(
          Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, String(value)])),
        )
      : new URLSearchParams({ payload: JSON.stringify(fields) });
  return {
    kind,
    workspace: workspace.id,
    person,
    description,
    contentType: FORM,
    body: body.toString(),
    onResponse,
  };
}

export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
