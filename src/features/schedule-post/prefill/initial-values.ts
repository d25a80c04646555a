import { z } from 'zod';
import type { Call } from '../../../app/call.ts';
import { type PostCopy, readPostCopy } from '../../../forms/post-copies.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { type NamedKind, readSlackText } from '../../../slack/text/text.ts';
import { formatMoment, isZone } from '../../../when/when.ts';
import { within } from '../../../within.ts';
import { fromPostTexts } from '../form/parts.ts';

/** Initial values of the form for a post, derived from a line, a message or another post. */
export interface InitialValues {
  /** Values by field. */
  prefill: Readonly<Record<string, unknown>>;
  /** Notes about these values, shown above the form. Plain text. */
  notes?: string[];
  /** The id of the draft that is being copied. */
  draft?: string;
  /** The template, if the service returned it. */
  template?: { id: string; content: string; isInserted: boolean };
}

/** A Slack message to schedule as a post, as Slack sent it. */
export const messageSchema = z.object({ text: z.string(), blocks: z.unknown(), files: z.unknown() });

/** Creates initial values for "Schedule this message": the text, and notes on what looks different outside of Slack. */
export async function prefillFromMessage(
  call: Call,
  message: z.infer<typeof messageSchema>,
): Promise<InitialValues> {
  // The message is read twice: first to find out which names it needs, then with these names.
  const recorder = createNameRecorder();
  readSlackText({ ...message, findName: recorder.findName });
  const findName = await fetchNames(call, recorder.requests);
  const { text, changes } = readSlackText({ ...message, findName });
  const notes = [...(text === '' ? ['This message has no text.'] : []), ...changes];
  return { prefill: { text }, ...(notes.length > 0 && { notes }) };
}

/** Maximum names to fetch for a message. Slack allows at least 50 calls a minute to each method. */
const MAX_FETCHED_NAMES = 20;

/** How long the form waits for names. After that, mentions keep their text from the message. */
const NAMES_TIMEOUT_MS = 1_500;

interface NameRequest {
  kind: NamedKind;
  id: string;
}
type FindName = (kind: NamedKind, id: string) => string | undefined;

/** Creates a `findName` that finds no name, but records each requested id once. */
function createNameRecorder(): { findName: FindName; requests: readonly NameRequest[] } {
  const requests: NameRequest[] = [];
  return {
    requests,
    findName(kind, id) {
      if (!requests.some((recorded) => recorded.kind === kind && recorded.id === id))
        requests.push({ kind, id });
      return undefined;
    },
  };
}

/** Fetches the names of people and channels. The result finds only the names that Slack returned in time. */
async function fetchNames(call: Call, requests: readonly NameRequest[]): Promise<FindName> {
  const names = new Map<string, string>();
  const fetches = requests.slice(0, MAX_FETCHED_NAMES).map(async ({ kind, id }) => {
    const name = await fetchName(call, kind, id);
    if (name !== undefined && name !== '') names.set(`${kind} ${id}`, name);
  });
  await within(NAMES_TIMEOUT_MS, Promise.all(fetches));
  return (kind, id) => names.get(`${kind} ${id}`);
}

/** Fetches a name. Undefined if Slack doesn't return it. */
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
    log.debug({ reference, err: error }, 'could not look up a name');
    return undefined;
  }
}

const COPY_EXPIRED_NOTE = 'This copy has expired. Find the post with /upnext posts and duplicate it there.';
const DRAFT_COPY_NOTE = 'This creates a copy. The draft stays.';
const POST_COPY_NOTE = 'This creates a copy. The original stays.';

/**
 * Creates initial values for [Duplicate]: all values of the post except its moment. The moment of a draft is copied too
 * if it is in the future.
 */
export async function prefillFromCopy(call: Call, copyId: string): Promise<InitialValues> {
  const copy = await readPostCopy(call, copyId);
  if (!copy) return { prefill: {}, notes: [COPY_EXPIRED_NOTE] };
  const isDraft = copy.status === 'DRAFT';
  const platforms = copy.platforms.filter((platform) => parsePlatforms([platform]));
  const zone = copy.timezone !== undefined && isZone(copy.timezone) ? copy.timezone : undefined;
  return {
    prefill: {
      project: copy.project,
      text: copy.content ?? '',
      platforms,
      ...fromPostTexts(copy),
      ...(zone !== undefined && { zone: { zone }, when: renderFutureMoment(copy, zone, call.now()) }),
    },
    notes: [
      isDraft ? DRAFT_COPY_NOTE : POST_COPY_NOTE,
      ...(platforms.length < copy.platforms.length ? ['I left out a platform I don’t know.'] : []),
      ...(copy.unreadableFields?.length ? [`I couldn’t copy: ${copy.unreadableFields.join(', ')}.`] : []),
    ],
    ...(isDraft && copy.id !== undefined && { draft: copy.id }),
  };
}

/** Renders the moment of a draft, if it is in the future. Otherwise returns ''. */
function renderFutureMoment({ status, scheduleDate }: PostCopy, zone: string, now: Date): string {
  const instant = new Date(scheduleDate ?? '');
  return status === 'DRAFT' && instant > now ? formatMoment({ instant, zone }, { now }) : '';
}
