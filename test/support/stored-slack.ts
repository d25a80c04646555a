import { WebAPIPlatformError, type WebClient } from '@slack/web-api';

interface SentMessage {
  channel: string;
  ts: string;
  text: string;
  blocks?: unknown;
  metadata: unknown;
  /** The message that this one replies to. */
  thread_ts?: string | undefined;
}

/** A Slack that stores messages. Each person's direct message has the id "D" and theirs. */
export function createStoredSlack() {
  const messages: SentMessage[] = [];
  const updates: string[] = [];
  /** The texts of updated messages, by channel and ts. */
  const shown = new Map<string, string>();
  const faults = {
    post: new Map<string, unknown>(),
    update: undefined as unknown,
    info: undefined as unknown,
    isShared: false,
  };
  /** The members of all channels, and everybody's locale. Undefined if Slack doesn't say. */
  const people: { members?: readonly string[]; locale?: string } = {};
  /** The people whose accounts were deactivated. */
  const left = new Set<string>();
  const toChannel = (recipient: string) => (recipient.startsWith('U') ? `D${recipient}` : recipient);
  const client = {
    users: {
      info: async ({ user }: { user: string }) => ({
        user: { name: `name of ${user}`, locale: people.locale, deleted: left.has(user) },
      }),
    },
    conversations: {
      info: async () => {
        if (faults.info !== undefined) throw faults.info;
        return { channel: { is_ext_shared: faults.isShared } };
      },
      members: async () => {
        if (!people.members) throw new WebAPIPlatformError({ ok: false, error: 'fetch_members_failed' });
        return { members: people.members };
      },
      open: async ({ users }: { users: string }) => ({ channel: { id: toChannel(users) } }),
      history: async ({ channel }: { channel: string }) => ({
        messages: messages.filter(
          (message) => message.channel === channel && message.thread_ts === undefined,
        ),
      }),
      replies: async ({ channel, ts }: { channel: string; ts: string }) => ({
        messages: messages.filter(
          (message) => message.channel === channel && [message.ts, message.thread_ts].includes(ts),
        ),
      }),
    },
    chat: {
      postMessage: async ({ channel, text, blocks, metadata, thread_ts }: Omit<SentMessage, 'ts'>) => {
        const fault = faults.post.get(channel);
        if (fault !== undefined) throw fault;
        const message = {
          channel: toChannel(channel),
          ts: `${messages.length + 1}.1`,
          text,
          blocks,
          metadata,
          thread_ts,
        };
        messages.push(message);
        return { ok: true, ...message };
      },
      update: async ({ channel, ts, text }: { channel: string; ts: string; text: string }) => {
        if (faults.update !== undefined) throw faults.update;
        updates.push(ts);
        shown.set(`${channel} ${ts}`, text);
        return { ok: true };
      },
    },
  } as unknown as WebClient;
  return {
    client,
    messages,
    updates,
    shown,
    faults,
    people,
    left,
    listRecipients: () => messages.map(({ channel }) => channel),
  };
}
