import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import { type PostCopy, readPostCopy } from '../../../forms/post-copies.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { type NamedKind, readSlackText } from '../../../slack/text/text.ts';
import { isZone, sayMoment } from '../../../when/when.ts';
import { MAX_TEXT_LENGTH, splitText, textValues } from '../form/text-parts.ts';

/** Initial values of the form for a post, derived from a line, a message or another post. */
export interface Beginning {
  /** Values by field. */
  prefill: Readonly<Record<string, unknown>>;
  /** Notes for the person about these values; plain text. */
  said?: string[];
  /** The id of the draft that is being copied. */
  draft?: string;
}

/** A Slack message to schedule as a post, as Slack sent it. */
export const startingMessage = z.object({ text: z.string(), blocks: z.unknown(), files: z.unknown() });

/** "Schedule this message": the message's text, with notes about what looks different outside of Slack. */
export async function messageBeginning(
  call: Call,
  message: z.infer<typeof startingMessage>,
): Promise<Beginning> {
  const asked = createNameRecorder();
  readSlackText({ ...message, names: asked.names });
  const names = await lookUpNames(call, asked.ids);
  const { text, changes } = readSlackText({ ...message, names });
  const { parts, rest } = splitText(text);
  const said = [
    ...(text === '' ? ['There is no text in this message.'] : []),
    ...changes,
    ...(rest === '' ? [] : ['The message is longer than a post can be: its end is missing here.']),
  ];
  return { prefill: textValues(parts), ...(said.length > 0 && { said }) };
}

/** Lookups for one message; each is a call to Slack, which allows about 50 to 100 a minute. Our own limit. */
const MAX_NAMES = 20;

/** How long the form waits for names. Mentions that aren't resolved by then have none. */
const WAIT_MS = 1_500;

interface Asked {
  kind: NamedKind;
  id: string;
}
type Names = (kind: NamedKind, id: string) => string | undefined;

/** A lookup that resolves no name and records each requested id once. */
function createNameRecorder(): { names: Names; ids: readonly Asked[] } {
  const ids: Asked[] = [];
  return {
    ids,
    names(kind, id) {
      if (!ids.some((one) => one.kind === kind && one.id === id)) ids.push({ kind, id });
      return undefined;
    },
  };
}

/** Looks up the names of people and channels that Slack returns to the bot in time. */
async function lookUpNames(call: Call, asked: readonly Asked[]): Promise<Names> {
  const found = new Map<string, string>();
  const looking = asked.slice(0, MAX_NAMES).map(async ({ kind, id }) => {
    const name = await nameOf(call, kind, id);
    if (name !== undefined && name !== '') found.set(`${kind} ${id}`, name);
  });
  await Promise.race([Promise.all(looking), delay(WAIT_MS, undefined, { ref: false })]);
  return (kind, id) => found.get(`${kind} ${id}`);
}

async function nameOf({ client, log, reference }: Call, kind: NamedKind, id: string) {
  try {
    if (kind === 'user') {
      const { user } = await client.users.info({ user: id });
      return user?.profile?.display_name || user?.real_name || user?.name;
    }
    // The bot has no scope to list user groups, so only the message itself can name them.
    if (kind === 'usergroup') return undefined;
    return (await client.conversations.info({ channel: id })).channel?.name;
  } catch (error) {
    // The bot may not see this person or channel, or Slack is busy. The message's own text is used.
    log.debug({ reference, reason: String(error) }, 'could not look up a name');
    return undefined;
  }
}

const GONE =
  'What you wanted to copy is no longer kept. Look for it with /upnext posts, and copy it from there.';
const OF_DRAFT =
  'This makes a new post: the service cannot make a scheduled one of a draft. The draft stays as it is.';
const OF_POST = 'This makes a new post. The one that it is a copy of cannot be changed, and stays as it is.';

/**
 * [Schedule again], [Schedule a copy]: all values of a post except its moment. A draft's future moment is copied too.
 */
export async function copiedPost(call: Call, copyId: string): Promise<Beginning> {
  const copy = await readPostCopy(call, copyId);
  if (!copy) return { prefill: {}, said: [GONE] };
  const isDraft = copy.status === 'DRAFT';
  const { parts, rest } = splitText(copy.content ?? '');
  const platforms = copy.platforms.filter((platform) => parsePlatforms([platform]));
  const zone = copy.timezone !== undefined && isZone(copy.timezone) ? copy.timezone : undefined;
  return {
    prefill: {
      project: copy.project,
      ...textValues(parts),
      platforms,
      media: copy.media ?? '',
      ...(zone !== undefined && { zone: { zone }, when: momentToCome(copy, zone, call.now()) }),
      ...prefillById('template', copy.templateId),
      ...prefillById('prompt', copy.promptId),
    },
    said: [
      isDraft ? OF_DRAFT : OF_POST,
      ...(rest === ''
        ? []
        : [
            `Its text is longer than ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters: the end is missing here.`,
          ]),
      ...(platforms.length < copy.platforms.length ? ['A platform that I do not know is left out.'] : []),
      ...(copy.unread?.length ? [`Not copied, because I could not read it: ${copy.unread.join(', ')}.`] : []),
    ],
    ...(isDraft && copy.id !== undefined && { draft: copy.id }),
  };
}

/** The future moment of a draft as text; '' for other posts, whose moment is already taken. */
function momentToCome({ status, scheduleDate }: PostCopy, zone: string, now: Date): string {
  const instant = new Date(scheduleDate ?? '');
  return status === 'DRAFT' && instant > now ? sayMoment({ instant, zone }, { now }) : '';
}

function prefillById(field: string, id: string | undefined): object {
  return id === undefined ? {} : { [field]: { id, name: id } };
}
