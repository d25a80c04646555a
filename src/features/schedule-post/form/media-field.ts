import type { KnownBlock } from '@slack/types';
import { LRUCache } from 'lru-cache';
import type { LinkTarget } from '../../../api/probe-link.ts';
import { attachError, buildActionId } from '../../../forms/field.ts';
import { createTimeLimit } from '../../../handlers/answer-when-ready.ts';
import type { Call, SubmissionCall } from '../../../handlers/call.ts';
import { explainFailedFile } from '../../../media/byte-input.ts';
import {
  describeMedia,
  findPageSite,
  isPrivateLink,
  MEDIA_TYPES,
  unwrapMedia,
} from '../../../posts/media-reference.ts';
import { within } from '../../../promises.ts';
import { actions, button, context, plain, section } from '../../../slack/blocks.ts';
import { buildPicture } from '../../../slack/message.ts';
import { READ_SCOPE } from '../../../slack/slack-file.ts';
import { createInstanceState } from '../../../store/instance-state.ts';
import { FORM_NAME, type PostInputs } from './fields.ts';
import type { KnownMedia, PostFormContext } from './post-form-context.ts';

/**
 * The picture or video of a post. A file from Slack becomes an address of Upnext, which is the post's `Media` from then on.
 * The form then shows the picture, and hides the field for a link.
 */

/** Returns the address of the post's media: of the uploaded file, or else the typed one. '' if there is none. */
export function getMedia(state: PostInputs): string {
  const { file, media } = state.values;
  return file.length > 0 ? (getKnownMedia(state)?.address ?? '') : unwrapMedia(media);
}

/** Returns the address of the post's media, or of the earlier ones as long as an uploaded file hasn't replaced them. */
export function getLastMedia(state: PostInputs): string {
  return getMedia(state) || unwrapMedia(state.values.media);
}

/** Returns what the form knows of the post's media. Undefined if it knows nothing, or only of another one. */
export function getKnownMedia({ values, formContext }: PostInputs): KnownMedia | undefined {
  const { media } = formContext;
  const [file] = values.file;
  const isShown = file ? media?.slackFile === file.id : media?.address === unwrapMedia(values.media);
  return isShown ? media : undefined;
}

export function getMediaField(state: PostInputs): 'file' | 'media' {
  const known = getKnownMedia(state);
  const isLink = getMedia(state) !== '' && !known?.facts && known?.problem === undefined;
  return offersFiles(state.formContext) && !isLink ? 'file' : 'media';
}

/** Whether media are a file that was taken, or one that was deleted since. Its address means nothing to people. */
function isTaken(media: KnownMedia | undefined): boolean {
  return media?.address !== undefined && (media.facts !== undefined || media.problem !== undefined);
}

export function listHiddenMediaFields(state: PostInputs): ('file' | 'media' | 'altText')[] {
  const isOffered = offersFiles(state.formContext);
  const known = getKnownMedia(state);
  return [
    ...(isOffered ? [] : ['file' as const]),
    ...(isOffered && (isTaken(known) || known?.before) ? ['media' as const] : []),
    ...(getLastMedia(state) === '' ? ['altText' as const] : []),
  ];
}

/**
 * Returns the address of the file that the form shows instead of the field for a link. As long as an uploaded file isn't
 * taken, that is the earlier one. Slack reports that the uploaded file was removed only with the next change or submission.
 */
export function getHiddenMedia(formContext: PostFormContext): string {
  if (!offersFiles(formContext)) return '';
  const { media } = formContext;
  return (isTaken(media) ? media?.address : media?.before?.address) ?? '';
}

/** Whether a file was taken that the view doesn't show yet: Slack may report it only with the submission. */
export function isFileNew(state: PostInputs): boolean {
  return state.values.file.length > 0 && getKnownMedia(state)?.facts !== undefined;
}

/** When a request of the form waits no longer for a file, after its arrival. The form itself needs some time too. */
const LATEST_ANSWER_MS = 1_700;
/** A request that arrived late still waits for files that were taken before. */
const MIN_WAIT_MS = 300;

const PENDING = 'I’m still fetching this file. Try again in a few seconds.';
const GONE = 'I’ve deleted this file meanwhile. Upload it again.';

/** Finds out about the post's media, and takes an uploaded file from Slack. */
export async function updateMedia(state: PostInputs, call: Call): Promise<KnownMedia | undefined> {
  const [file] = state.values.file;
  const { media } = state.formContext;
  if (file) {
    if (media?.slackFile === file.id && media.facts) return media;
    const { address, facts } = media ?? {};
    const before = address !== undefined && facts ? { address, facts } : media?.before;
    const taken = await takeFile(call, file.id);
    return { ...taken, ...(!taken.facts && before && { before }) };
  }
  const address = getMedia(state);
  if (address !== '' && media?.before?.address === address) return media.before;
  return media?.address === address ? media : findMedia(call, address);
}

/** Finds out about an address: the file that was taken, or where a link leads. Undefined if that isn't known. */
export async function findMedia(call: Call, address: string): Promise<KnownMedia | undefined> {
  if (address.trim() === '') return undefined;
  const found = await call.context.media.find(call.actor.workspace, address);
  if (found === 'gone') return { address, problem: GONE };
  return found ? { address, facts: found.facts } : probeLink(call, address);
}

/** How long the form waits for the answer of a link. After that, the next change of the form shows it. */
const PROBE_TIMEOUT_MS = 800;
/** While somebody types a link, only some of its beginnings are asked. By person. */
const MIN_PROBE_INTERVAL_MS = 1_000;
const lastProbesOf = createInstanceState(
  () => new LRUCache<string, { address: string; at: number }>({ max: 5_000 }),
);

const LINK_WARNINGS: Readonly<Record<LinkTarget, string>> = {
  media: '',
  unknown: '',
  page: 'This link opens a page, and not a picture or video.',
  other: 'This link doesn’t lead to a picture or video.',
  missing: 'There’s nothing at this link.',
  'not-public': 'This link asks me to sign in, so the service may not get the file.',
  unreachable: 'I can’t reach this link. Check it in a private browser window.',
};

async function probeLink(call: Call, address: string): Promise<KnownMedia | undefined> {
  const { context: appContext, actor, receivedAt } = call;
  // Other checks explain these already.
  const isChecked = isPrivateLink(address) || findPageSite(address) !== undefined;
  if (!appContext.probeLink || isChecked || !/^https?:\/\/[^/]+\.[^/]+\//i.test(address)) return undefined;
  const person = `${actor.workspace} ${actor.user}`;
  const lastProbes = lastProbesOf(appContext.db);
  const last = lastProbes.get(person);
  if (last && last.address !== address && receivedAt - last.at < MIN_PROBE_INTERVAL_MS) return undefined;
  lastProbes.set(person, { address, at: receivedAt });
  const target = await within(PROBE_TIMEOUT_MS, appContext.probeLink(address, actor.workspace));
  if (target === undefined) return undefined;
  return { address, ...(LINK_WARNINGS[target] !== '' && { warning: LINK_WARNINGS[target] }) };
}

/** Renders what seems wrong with a link. The service alone decides, so it is never an error. */
export function renderLinkWarning(state: PostInputs): KnownBlock[] {
  const warning = getKnownMedia(state)?.warning;
  return warning === undefined ? [] : [context(plain(`⚠️ ${warning}`))];
}

/** Takes a file from Slack. Continues in the background if that takes longer than `waitMs`. */
export async function takeFile(
  call: Call,
  slackFile: string,
  waitMs = Math.max(MIN_WAIT_MS, createTimeLimit(call, LATEST_ANSWER_MS).getRemainingMs()),
): Promise<KnownMedia> {
  const { context: appContext, actor, client, log, reference } = call;
  const taking = appContext.media.take({ workspace: actor.workspace, client }, slackFile).then(
    ({ address, facts }): KnownMedia => ({ slackFile, address, facts }),
    (error: unknown): KnownMedia => {
      log.info({ reference, slackFile, err: error }, 'could not take a file from Slack');
      return { slackFile, problem: explainFailedFile(error) };
    },
  );
  return (await within(waitMs, taking)) ?? { slackFile, problem: PENDING };
}

/** Keeps the files of posts that are about to be stored. Resolves with the problem if a file was deleted (plain text). */
export async function keepMedia(
  call: SubmissionCall,
  contents: readonly { values: { media?: string | undefined }; moment?: { instant: string } | undefined }[],
): Promise<string | undefined> {
  for (const { values, moment } of contents) {
    const { media = '' } = values;
    if (media === '') continue;
    const publishAt = moment && new Date(moment.instant);
    if ((await call.context.media.keep(call.actor.workspace, media, publishAt)) === 'gone') return GONE;
  }
  return undefined;
}

/** The name of [Remove], which removes the file from the post. */
export const REMOVE_MEDIA_BUTTON = 'remove-media';

/** What was removed from a file; plain text. The tracks of a video are passed on as they are. */
const REMOVED_TEXTS = {
  picture: 'I removed the location and other hidden data from this picture.',
  video:
    'I removed the location and other hidden data from this video. Positions that its camera recorded as a track of their own stay.',
};

/** Renders the file of the post: the picture, what it is, and [Remove]; or why it can't be used. */
export function renderMediaBlocks(state: PostInputs): KnownBlock[] {
  const known = getKnownMedia(state);
  const remove = actions(button('Remove', buildActionId(FORM_NAME, REMOVE_MEDIA_BUTTON)));
  if (known?.problem !== undefined)
    return [
      attachError(section(`⛔ *${known.problem}*`), known.problem),
      ...(isTaken(known) ? [remove] : []),
    ];
  if (!known?.facts) return [];
  const picture = buildPicture(known.address, state.values.altText);
  const { kind } = MEDIA_TYPES[known.facts.type];
  const notes = [describeMedia(known.facts), ...(known.facts.hadPrivateData ? [REMOVED_TEXTS[kind]] : [])];
  return [...(picture ? [picture] : []), context(plain(notes.join('\n'))), remove];
}

/** Why no file can be taken, and what to set. Plain text. */
export const NO_FILES =
  'I can’t take files until whoever runs Upnext sets PUBLIC_URL or MEDIA_BUCKET_URL, because the scheduling service couldn’t fetch them.';

const FILES_NOT_PERMITTED = `I can’t read files here without the permission ${READ_SCOPE}. Ask a workspace admin to install Upnext again, or give a link.`;
const PERMISSION_UNKNOWN =
  'I couldn’t find out whether I may read files here. Give a link, or open the form again in a minute.';

/** Whether the form has a field for a file. */
const offersFiles = (formContext: PostFormContext): boolean => findFilesProblem(formContext) === undefined;

/** Says why files can't be taken (plain text). Undefined if they can. */
function findFilesProblem({ takesFiles, mayReadFiles }: PostFormContext): string | undefined {
  if (!takesFiles) return NO_FILES;
  if (mayReadFiles === undefined) return PERMISSION_UNKNOWN;
  return mayReadFiles ? undefined : FILES_NOT_PERMITTED;
}

export function renderNoFilesNote(formContext: PostFormContext): KnownBlock[] {
  const problem = findFilesProblem(formContext);
  return problem === undefined ? [] : [context(plain(problem))];
}
