import type { KnownBlock } from '@slack/types';
import { type Actor, isPersonId } from './actor.ts';
import { areConfirmed, fetchReaders, type Guests, isDirectMessage } from './audience.ts';
import { section } from './blocks.ts';
import type { SlackCall } from './fetch-people.ts';
import type { Message } from './message.ts';
import { ReadersUnknown } from './slack-errors.ts';

/** Where a message is, or is to be sent. */
export interface Place {
  /** The Slack id of a conversation, or of the person who gets a direct message. */
  channel: string;
  /** The Slack id of the person with whom a conversation of direct messages is, if that is known. */
  person?: string | null | undefined;
  /** The outsiders for whom an owner has confirmed the message, see `areConfirmed`. Defaults to null. */
  sharedWith?: readonly string[] | null;
}

/**
 * Checks who reads a message now, before Upnext sends or changes it without a request from that reader. A person may read
 * what their role permits now. A channel may be written to if only members of the workspace read it, and outsiders for whom
 * an owner has confirmed this message. Guests of the workspace are among its members, unless the project's policy keeps
 * them out.
 */
export interface ReaderCheck {
  /**
   * Whether everybody who reads messages in a place now may read of this project. `project` is undefined for what
   * everybody with a role may read. Throws `ReadersUnknown`, which is transient, if that couldn't be found out.
   */
  mayRead(place: Place, project: string | undefined): Promise<boolean>;
}

/** The rules of the workspace and its projects about who may read. */
interface ReaderRules {
  /** Whether a person has the role that reads in the project. */
  checkViewer(user: string, project: string | undefined): Promise<'yes' | 'no' | 'unknown'>;
  /** Whether guests are in a channel whom the project's policy keeps out. */
  findExcludedGuests(channel: string, project: string): Promise<Guests>;
}

/** Creates the check for one change. Each channel and each person is looked up once, so create another for the next. */
export function createReaderCheck(
  call: SlackCall & { actor: Pick<Actor, 'workspace'> },
  { checkViewer, findExcludedGuests }: ReaderRules,
): ReaderCheck {
  const answers = new Map<string, ReturnType<ReaderRules['checkViewer']>>();
  const channels = new Map<string, ReturnType<typeof fetchReaders>>();
  const guests = new Map<string, Promise<Guests>>();
  return {
    async mayRead({ channel, person, sharedWith = null }, project) {
      const user = isPersonId(channel) ? channel : isDirectMessage(channel) ? (person ?? '') : undefined;
      if (user === '') return false;
      if (user !== undefined) {
        const answer = await lookUpOnce(answers, `${user} ${project}`, () => checkViewer(user, project));
        if (answer === 'unknown') throw new ReadersUnknown('could not check the role of a reader');
        return answer === 'yes';
      }
      const readers = await lookUpOnce(channels, channel, () => fetchReaders(call, channel));
      if (readers === 'not-checked') throw new ReadersUnknown('could not find out who reads a channel');
      if (readers === undefined || !areConfirmed(readers, sharedWith)) return false;
      if (project === undefined) return true;
      const found = await lookUpOnce(guests, `${channel} ${project}`, () =>
        findExcludedGuests(channel, project),
      );
      if (found === 'not-checked')
        throw new ReadersUnknown('could not find out whether guests read a channel');
      return found === 'no';
    },
  };
}

/**
 * What replaces a message if not everybody who reads it may read its content any more: one line without content, and
 * without buttons. It has blocks, because otherwise Slack keeps the earlier ones.
 */
export function renderNoLongerShown({ channel }: Place): Message & { blocks: KnownBlock[] } {
  const text =
    isPersonId(channel) || isDirectMessage(channel)
      ? 'I no longer show this here, because you don’t have a role in its project any more. `/upnext roles` shows what you have now.'
      : 'I no longer show this here, because of who reads this channel now. Everybody with a role finds it with `/upnext posts`.';
  return { text, blocks: [section(text)] };
}

function lookUpOnce<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  lookUp: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? lookUp();
  known.set(key, value);
  return value;
}
