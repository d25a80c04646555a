import { z } from 'zod';
import { listKnownProjects } from '../../../api/cached-reads.ts';
import { type LastSubmission, MAX_LAST_SUBMISSIONS, readProfile } from '../../../forms/form-context.ts';
import { type PostCopy, readPostCopy } from '../../../forms/post-copies.ts';
import { isSame } from '../../../forms/stored-form.ts';
import type { Call } from '../../../handlers/call.ts';
import { parsePlatforms } from '../../../posts/platforms.ts';
import { findCardText } from '../../../posts/post-card.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { within } from '../../../promises.ts';
import { clipLine } from '../../../slack/blocks.ts';
import { fetchMentionedNames } from '../../../slack/fetch-mentioned-names.ts';
import { readSlackText } from '../../../slack/text/text.ts';
import { readConfirmed } from '../../../submissions/content.ts';
import { formatMomentWithoutZone } from '../../../when/format-moment.ts';
import { withStepBudget } from '../../../when/when.ts';
import { findZonesByName, isZone } from '../../../when/zones.ts';
import { fromPostTexts } from '../form/fields.ts';
import { NO_FILES, takeFile } from '../form/media-field.ts';
import type { KnownMedia, LastPlatforms, LineOffer } from '../form/post-form-context.ts';
import { toOwnTextValues } from '../form/text-fields.ts';
import type { MomentReader } from './line-names.ts';
import { LINE_AS_TEXT_NOTE } from './line-offer.ts';
import { createMomentReader } from './moment-reader.ts';
import { parseLine } from './parse-line.ts';
import type { ParsedLine } from './weigh-line.ts';

/** Initial values of the form for a post, derived from a line, a message or another post. */
export interface InitialValues {
  prefill: Readonly<Record<string, unknown>>;
  /** Notes about these values, shown above the form. Plain text. */
  notes?: string[];
  /** Whether a name was typed that isn't understood, so that the author has to choose. */
  mustChoose?: { project: boolean; platforms: boolean };
  /** The id of the draft that is being copied. */
  draft?: string;
  /** A file that was taken from Slack. */
  media?: KnownMedia;
  template?: { id: string; content: string; isInserted: boolean };
  /** What a line that became all text may mean instead. */
  lineOffer?: LineOffer;
}

/** A Slack message to schedule as a post, as Slack sent it. */
export const messageSchema = z.object({
  text: z.string(),
  blocks: z.unknown(),
  attachments: z.unknown().optional(),
  files: z.unknown(),
});

/** Creates initial values for "Schedule this message": the text, and notes on what looks different outside of Slack. */
export async function prefillFromMessage(
  call: Call,
  sentMessage: z.infer<typeof messageSchema>,
): Promise<InitialValues> {
  const cardText = findCardText(sentMessage.blocks);
  const message = { ...sentMessage, ...(cardText && { text: '', blocks: cardText }) };
  const [findName, { media, notes: fileNotes, otherFiles }] = await Promise.all([
    fetchMentionedNames(call, message),
    takeMessageFile(call, message.files),
  ]);
  const { text, changes } = readSlackText({ ...message, files: otherFiles, findName });
  const notes = [
    ...(text === '' && !media ? ['This message has no text.'] : []),
    ...(cardText ? [CARD_NOTE] : []),
    ...changes,
    ...fileNotes,
  ];
  return {
    prefill: { text, ...(media && { media: media.address ?? '' }) },
    ...(media && { media }),
    ...(notes.length > 0 && { notes }),
  };
}

const CARD_NOTE =
  'I took only the main text of this post. To copy the whole post, find it with /upnext posts and duplicate it.';

/** How long the form waits for the file of a message. A loading view is open meanwhile. */
const FILE_TIMEOUT_MS = 20_000;

const messageFiles = z.array(z.looseObject({ id: z.string(), mimetype: z.string().nullish() })).catch([]);

/** Takes the first picture or video of a message. Slack knows the type of a file only after a moment. */
async function takeMessageFile(
  call: Call,
  files: unknown,
): Promise<{ media?: KnownMedia; notes: string[]; otherFiles: unknown }> {
  const listed = messageFiles.parse(files);
  const file = listed.find(({ mimetype }) => !mimetype || /^(?:image|video)\//.test(mimetype));
  if (!file) return { notes: [], otherFiles: files };
  if (!call.context.media.takesFiles) return { notes: [NO_FILES], otherFiles: files };
  const taken = await takeFile(call, file.id, FILE_TIMEOUT_MS);
  if (!taken.facts) return { notes: taken.problem === undefined ? [] : [taken.problem], otherFiles: files };
  return { media: taken, notes: [], otherFiles: listed.filter((other) => other !== file) };
}

const COPY_EXPIRED_NOTE = 'This copy has expired. Find the post with /upnext posts and duplicate it there.';

/**
 * Creates initial values for [Duplicate]: all values of the post except its moment. The moment of a draft is copied too
 * if it is in the future. `when`: the time that somebody has typed for the copy.
 */
export async function prefillFromCopy(call: Call, copyId: string, when?: string): Promise<InitialValues> {
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
      ...toOwnTextValues(
        Object.fromEntries(
          (copy.ownTexts ?? []).flatMap((own) => own.platforms.map((name) => [name, own.text])),
        ),
      ),
      ...(zone !== undefined && { zone: { zone }, when: renderFutureMoment(copy, zone, call.now()) }),
      ...(when !== undefined && { when }),
    },
    notes: [
      isDraft ? 'This creates a copy. The draft stays.' : 'This creates a copy. The original stays.',
      ...(platforms.length < copy.platforms.length ? ['I left out a platform I don’t know.'] : []),
      ...(copy.unreadableFields?.length ? [`I couldn’t copy: ${copy.unreadableFields.join(', ')}.`] : []),
    ],
    ...(isDraft && copy.id !== undefined && { draft: copy.id }),
  };
}

/** Renders the moment of a draft, if it is in the future. Otherwise returns ''. */
function renderFutureMoment({ status, scheduleDate }: PostCopy, zone: string, now: Date): string {
  const instant = new Date(scheduleDate ?? '');
  return status === 'DRAFT' && instant > now ? formatMomentWithoutZone({ instant, zone }, { now }) : '';
}

/** How long to wait for the projects. After that, the author chooses the project in the form. */
const PROJECTS_TIMEOUT_MS = 10_000;

/** Shown above the form if platforms stand between several times: "9am on x, 10am on linkedin". */
const ALL_TIMES_NOTE =
  'Each time is for all of these platforms. To give them different times, write a line for each.';

/** Parses the text after the command into initial values. `changes`: how it differs from the message in Slack. */
export async function prefillFromLine(call: Call, line: string, changes: readonly string[]) {
  const now = call.now();
  const [projects, { actorLocale: locale }] = await Promise.all([fetchProjects(call), readProfile(call)]);
  const momentReader = createMomentReader(now, locale);
  // Parsing the line has its own step budget, so that enough steps remain for the form to parse the moment.
  const parsedLine = withStepBudget(() => parseLine(line, projects, momentReader));
  const { text, isDraft, platforms, unknownPlatforms, project, unknownProject, when, offer } = parsedLine;
  const notes = [
    ...renderUnreadNotes(parsedLine, projects),
    ...withStepBudget(() => renderGuess(line.trim(), parsedLine, momentReader)),
    ...(parsedLine.hasOwnTimes ? [ALL_TIMES_NOTE] : []),
    ...(text === line.trim() ? [LINE_AS_TEXT_NOTE] : []),
    ...changes,
  ];
  return {
    prefill: {
      ...(project && { project: { id: project.id, name: project.name } }),
      text,
      // A line for X and an unknown platform isn't scheduled for X alone unless the author says so.
      platforms: unknownPlatforms.length > 0 ? [] : [...platforms],
      ...(isDraft && { status: 'DRAFT' }),
      when,
    },
    mustChoose: { project: unknownProject !== undefined, platforms: unknownPlatforms.length > 0 },
    ...(offer && { lineOffer: describeOffer(parsedLine, offer) }),
    ...(notes.length > 0 && { notes }),
  };
}

/** Describes only what the offer changes. */
function describeOffer({ text: line, unreadWords, ...parsed }: ParsedLine, offer: ParsedLine): LineOffer {
  const { text } = offer;
  const isUnread = text.startsWith(unreadWords) && unreadWords !== '';
  return {
    line,
    text,
    when: offer.when === parsed.when ? '' : offer.when,
    platforms: offer.platforms.length > parsed.platforms.length ? [...offer.platforms] : [],
    isDraft: offer.isDraft && !parsed.isDraft,
    ...(isUnread && { adds: unreadWords }),
  };
}

/**
 * Names the minutes or the zone before a text, because they may begin the text: "9am PT sessions are back", "9am Central
 * Park walk", "lundi 9h 15 nouvelles recettes".
 */
function renderGuess(
  line: string,
  { when, text }: ReturnType<typeof parseLine>,
  { movesHour }: MomentReader,
): string[] {
  const isNext = /^\p{L}/u.test(text) && line.endsWith(text);
  if (!isNext || !line.slice(0, -text.length).trimEnd().endsWith(when)) return [];
  const [, hour = '', minutes = ''] = /^(.*\d\s?(?!ore\s)\p{L}+)\s(\d\d)$/u.exec(when) ?? [];
  if (minutes !== '' && movesHour(when, hour)) return [`I took “${minutes}” as minutes.`];
  const words = when.split(/\s+/);
  const endings = words.slice(1).map((_, index) => words.slice(index + 1).join(' '));
  const zone = endings.find((ending) => findZonesByName(ending.replace(/^in /i, '')).coversWholeText);
  // "9am PT Sessions" has a zone.
  return zone === undefined || (/^\p{Lu}+$/u.test(zone) && !/^\p{Ll}/u.test(text))
    ? []
    : [`I took “${clipLine(zone)}” as the time zone.`];
}

/** Renders notes about the words that name nothing, as far as the projects are known. Plain text. */
export function renderUnreadNotes(
  line: Pick<ReturnType<typeof parseLine>, 'text' | 'unknownPlatforms' | 'unknownProject' | 'unreadWords'>,
  { isComplete }: { isComplete: boolean },
): string[] {
  const { text, unknownPlatforms, unknownProject, unreadWords } = line;
  const quote = (words: string) => `“${clipLine(words)}”`;
  const unread = quote(unreadWords);
  // "At 6pm on x friday we open": "friday" may be the day of the post too.
  const unreadNote = text.startsWith(unreadWords)
    ? `I took ${unread} as part of the text.`
    : `I didn’t understand ${unread}.`;
  return [
    ...(unknownProject === undefined
      ? []
      : [
          isComplete
            ? `I don’t know which project ${quote(unknownProject)} is. Choose one.`
            : `I couldn’t read all projects, so I don’t know which one ${quote(unknownProject)} is. Choose one.`,
        ]),
    ...unknownPlatforms.map((name) => `I don’t know the platform ${quote(name)}. Choose the platforms.`),
    ...(unreadWords === '' ? [] : [unreadNote]),
  ];
}

/** Fetches the projects. If that fails or takes too long, returns the last known list, or else an empty one. */
async function fetchProjects({ context }: Call): Promise<ProjectList & { isComplete: boolean }> {
  const known = await within(PROJECTS_TIMEOUT_MS, listKnownProjects(context));
  const projects = known ?? context.reads.getLastProjects(context.api);
  return { items: [], isTruncated: false, isComplete: false, ...projects };
}

/** Minimal submission kind for the platforms of posts. */
const postKind = {
  name: 'post',
  content: z.object({
    values: z.object({ platforms: z.array(z.string()) }),
    partOf: z.array(z.string()).optional(),
  }),
};

/** Finds the platforms of the project's latest post from Slack: among the loaded posts, or else in the database. */
export async function findLastPlatforms(
  call: Call,
  project: string | undefined,
  loaded: { project: string | undefined; rows: readonly LastSubmission[] },
): Promise<LastPlatforms> {
  if (project === undefined || project !== loaded.project || !call.may('contributor', project))
    return updateLastPlatforms(call, project);
  const posts = loaded.rows.flatMap(
    (row) => readConfirmed(call.context.submissions.context, postKind, row) ?? [],
  );
  return { project, platforms: pickPlatforms(posts), replaced: [], isPrefilled: false };
}

/** Finds the platforms again if another project was chosen. */
export async function updateLastPlatforms(
  call: Call,
  project = '',
  previous?: LastPlatforms,
): Promise<LastPlatforms> {
  if (previous?.project === project) return previous;
  const { workspace } = call.actor;
  const posts = call.may('contributor', project)
    ? await call.context.submissions.listConfirmed(postKind, {
        workspace,
        project,
        limit: MAX_LAST_SUBMISSIONS,
      })
    : [];
  return {
    project,
    platforms: pickPlatforms(posts),
    replaced: previous?.platforms ?? [],
    isPrefilled: false,
  };
}

/** Picks the platforms of the latest post that has some. A part of a post counts as the whole. */
function pickPlatforms(
  posts: readonly { content: { values: { platforms: string[] }; partOf?: string[] | undefined } }[],
): string[] {
  const lists = posts.map(({ content: { values, partOf } }) => partOf ?? values.platforms);
  return lists.find((list) => list.length > 0) ?? [];
}

/** Prefills the platforms of the project's latest post once, unless somebody has chosen platforms. */
export function prefillPlatforms<Context extends { lastPlatforms?: LastPlatforms | undefined }>(
  { platforms, project }: { platforms: string[]; project?: { id: string } | undefined },
  formContext: Context,
): { platforms: string[]; formContext: Context } {
  const { lastPlatforms } = formContext;
  if (!lastPlatforms || lastPlatforms.isPrefilled || lastPlatforms.project !== project?.id)
    return { platforms, formContext };
  return {
    platforms: isSame(platforms, lastPlatforms.replaced) ? lastPlatforms.platforms : platforms,
    formContext: { ...formContext, lastPlatforms: { ...lastPlatforms, isPrefilled: true } },
  };
}
