import { type WebAPICallResult, WebClient } from '@slack/web-api';

/** What the app sent to Slack. */
export interface SentPayload {
  /** A Web API method, `response_url`, `acknowledgement` or `file`. */
  to: string;
  payload: Readonly<Record<string, unknown>>;
}

/** The response_url of every command and button. */
export const RESPONSE_URL = 'https://hooks.slack.com/actions/response-url-of-a-request';

/** A channel that people of another organisation read too. */
export const SHARED_CHANNEL = 'C0SHARED';

/**
 * Kinds of people whom Slack describes as somebody else than a full member of the workspace `team`, or whom it doesn't
 * describe at all. Their ids end with the number of the workspace.
 */
export const OUTSIDERS: Readonly<Record<string, (team: string) => object>> = {
  U0GUEST: () => ({ is_restricted: true }),
  U0GUESTOFONE: () => ({ is_restricted: true, is_ultra_restricted: true }),
  U0ROBOT: () => ({ is_bot: true }),
  U0GONE: () => ({ deleted: true }),
  U0STRANGER: () => ({ team_id: 'T0ELSEWHERE', is_stranger: true, enterprise_user: {} }),
  U0OTHERTEAM: () => ({ team_id: 'T0ELSEWHERE', enterprise_user: { teams: ['T0ELSEWHERE'] } }),
  U0NOTEAM: () => ({ team_id: 'T0ELSEWHERE', enterprise_user: { teams: [] } }),
  U0UNKNOWN: () => {
    throw new Error('Slack does not answer');
  },
};

/** Describes a person. Their workspace is the one with the number at the end of their id. */
function describeUser(id: string): object {
  const team = `T0TEAM${id.at(-1)}`;
  // In an Enterprise Grid organisation `team_id` is one of a person's workspaces, and `teams` has all of them.
  const isInTwoTeams = id.startsWith('U0PERSON');
  const user = {
    ...{ id, team_id: isInTwoTeams ? 'T0ELSEWHERE' : team, is_bot: false, deleted: false },
    ...{ tz: 'Europe/Berlin', real_name: 'Ana Ferreira' },
    profile: { email: 'ana@example.com', first_name: 'Ana', last_name: 'Ferreira' },
    enterprise_user: { teams: isInTwoTeams ? ['T0ELSEWHERE', team] : [team] },
  };
  return { ...user, ...OUTSIDERS[id.slice(0, -1)]?.(team) };
}

/** The answers of the methods that return more than that they succeeded. */
const ANSWERS: Readonly<Record<string, (options: Record<string, unknown>) => object>> = {
  'users.info': ({ user }) => ({ user: describeUser(String(user)) }),
  'usergroups.users.list': () => ({ users: [] }),
  'usergroups.list': () => ({ usergroups: [] }),
  'conversations.info': ({ channel }) => ({
    channel: { is_member: true, is_private: false, is_ext_shared: channel === SHARED_CHANNEL },
  }),
  'conversations.open': () => ({ channel: { id: 'D1' } }),
  'emoji.list': () => ({ emoji: {} }),
  'chat.postMessage': () => ({ channel: 'D1', ts: '1.1' }),
};
const answerView = ({ view }: Record<string, unknown>) => ({
  view: { ...(view as object), id: 'V1', hash: 'h' },
});

const READS = /\.(?:info|list|test)$/;

/** Replaces Slack in this process until `restore`. Records everything that is sent to it. */
export function replaceSlack() {
  let sent: SentPayload[] = [];
  const record = (to: string, payload: unknown) => {
    // A copy, because the app may change the object later.
    if (typeof payload === 'object' && payload !== null)
      sent.push({ to, payload: JSON.parse(JSON.stringify(payload)) });
  };
  const { apiCall, filesUploadV2 } = WebClient.prototype;
  const { fetch } = globalThis;
  WebClient.prototype.apiCall = async (method, options = {}): Promise<WebAPICallResult> => {
    if (!READS.test(method)) record(method, options);
    const answer = method.startsWith('views.') ? answerView : ANSWERS[method];
    return { ok: true, ...answer?.(options as Record<string, unknown>) };
  };
  WebClient.prototype.filesUploadV2 = async (options) => {
    record('file', { ...options });
    return { ok: true, files: [] };
  };
  globalThis.fetch = async (input, init) => {
    if (!String(input).startsWith(RESPONSE_URL)) return fetch(input, init);
    record('response_url', JSON.parse(String(init?.body)));
    return new Response();
  };
  return {
    record,
    takeSent(): SentPayload[] {
      const taken = sent;
      sent = [];
      return taken;
    },
    restore(): void {
      Object.assign(WebClient.prototype, { apiCall, filesUploadV2 });
      globalThis.fetch = fetch;
    },
  };
}
