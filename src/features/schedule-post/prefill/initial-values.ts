import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import { type PostCopy, readPostCopy } from '../../../forms/post-copies.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { type NamedKind, readSlackText } from '../../../slack/text/text.ts';
import { formatMoment, isZone } from '../../../when/when.ts';
import { MAX_TEXT_LENGTH, splitText, toTextValues } from '../form/text-parts.ts';

/** Initial values of the form for a post, derived from a line, a message or another post. */
export interface InitialValues {
  /** Values by field. */
  prefill: Readonly<Record<string, unknown>>;
  /** Notes about these values, shown above the form. Plain text. */
  notes?: string[];
  /** The id of the draft that is being copied. */
  draft?: string;
}

/** A Slack message to schedule as a post, as Slack sent it. */
export const messageSchema = z.object({ text: z.string(), blocks: z.unknown(), files: z.unknown() });

/** "Schedule this message": prefills the message's text, and notes what looks different outside of Slack. */
export async function prefillFromMessage(
  call: Call,
  message: z.infer<typeof messageSchema>,
): Promise<InitialValues> {
  const recorder = createNameRecorder();
  readSlackText({ ...message, findName: recorder.lookUpName });
  const lookUpName = await lookUpNames(call, recorder.requests);
  const { text, changes } = readSlackText({ ...message, findName: lookUpName });
  const { parts, rest } = splitText(text);
  const notes = [
    ...(text === '' ? ['There is no text in this message.'] : []),
    ...changes,
    ...(rest === '' ? [] : ['The message is longer than a post can be: its end is missing here.']),
  ];
  return { prefill: toTextValues(parts), ...(notes.length > 0 && { notes }) };
}

/** Maximum number of names looked up for a message. Slack allows about 50 to 100 calls a minute. */
const MAX_NAME_LOOKUPS = 20;

/** How long the form waits for names. After that, unresolved mentions keep the text that the message has for them. */
const NAMES_TIMEOUT_MS = 1_500;

interface NameRequest {
  kind: NamedKind;
  id: string;
}
type NameLookup = (kind: NamedKind, id: string) => string | undefined;

/** Creates a lookup that resolves no name, but records each requested id once. */
function createNameRecorder(): { lookUpName: NameLookup; requests: readonly NameRequest[] } {
  const requests: NameRequest[] = [];
  return {
    requests,
    lookUpName(kind, id) {
      if (!requests.some((recorded) => recorded.kind === kind && recorded.id === id))
        requests.push({ kind, id });
      return undefined;
    },
  };
}

/** Looks up the names of people and channels. Names that Slack doesn't return in time stay unresolved. */
async function lookUpNames(call: Call, requests: readonly NameRequest[]): Promise<NameLookup> {
  const names = new Map<string, string>();
  const lookups = requests.slice(0, MAX_NAME_LOOKUPS).map(async ({ kind, id }) => {
    const name = await fetchName(call, kind, id);
    if (name !== undefined && name !== '') names.set(`${kind} ${id}`, name);
  });
  await Promise.race([Promise.all(lookups), delay(NAMES_TIMEOUT_MS, undefined, { ref: false })]);
  return (kind, id) => names.get(`${kind} ${id}`);
}

async function fetchName({ client, log, reference }: Call, kind: NamedKind, id: string) {
  try {
    if (kind === 'user') {
      const { user } = await client.users.info({ user: id });
      return user?.profile?.display_name || user?.real_name || user?.name;
    }
    // The bot has no scope to list user groups, so only the message itself can name them.
    if (kind === 'usergroup') return undefined;
    return (await client.conversations.info({ channel: id })).channel?.name;
  } catch (error) {
    // The bot may not see this person or channel, or Slack is busy. The post then uses the text in the message.
    log.debug({ reference, reason: String(error) }, 'could not look up a name');
    return undefined;
  }
}

const COPY_EXPIRED_NOTE =
  'What you wanted to copy is no longer kept. Look for it with /upnext posts, and copy it from there.';
const DRAFT_COPY_NOTE =
  'This makes a new post: the service cannot make a scheduled one of a draft. The draft stays as it is.';
const POST_COPY_NOTE =
  'This makes a new post. The one that it is a copy of cannot be changed, and stays as it is.';

/**
 * [Schedule again], [Schedule a copy]: prefills all values of a post except its moment. The moment of a draft is copied
 * too, if it is in the future.
 */
export async function prefillFromCopy(call: Call, copyId: string): Promise<InitialValues> {
  const copy = await readPostCopy(call, copyId);
  if (!copy) return { prefill: {}, notes: [COPY_EXPIRED_NOTE] };
  const isDraft = copy.status === 'DRAFT';
  const { parts, rest } = splitText(copy.content ?? '');
  const platforms = copy.platforms.filter((platform) => parsePlatforms([platform]));
  const zone = copy.timezone !== undefined && isZone(copy.timezone) ? copy.timezone : undefined;
  return {
    prefill: {
      project: copy.project,
      ...toTextValues(parts),
      platforms,
      media: copy.media ?? '',
      ...(zone !== undefined && { zone: { zone }, when: renderFutureMoment(copy, zone, call.now()) }),
      ...createPrefillById('template', copy.templateId),
      ...createPrefillById('prompt', copy.promptId),
    },
    notes: [
      isDraft ? DRAFT_COPY_NOTE : POST_COPY_NOTE,
      ...(rest === ''
        ? []
        : [
            `Its text is longer than ${MAX_TEXT_LENGTH.toLocaleString('en-US')} characters: the end is missing here.`,
          ]),
      ...(platforms.length < copy.platforms.length ? ['A platform that I do not know is left out.'] : []),
      ...(copy.unreadableFields?.length
        ? [`Not copied, because I could not read it: ${copy.unreadableFields.join(', ')}.`]
        : []),
    ],
    ...(isDraft && copy.id !== undefined && { draft: copy.id }),
  };
}

/** Renders the future moment of a draft. '' for other posts: the original already goes out at that moment. */
function renderFutureMoment({ status, scheduleDate }: PostCopy, zone: string, now: Date): string {
  const instant = new Date(scheduleDate ?? '');
  return status === 'DRAFT' && instant > now ? formatMoment({ instant, zone }, { now }) : '';
}

function createPrefillById(field: string, id: string | undefined): object {
  return id === undefined ? {} : { [field]: { id, name: id } };
}
