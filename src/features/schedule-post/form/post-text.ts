import type { WebClient } from '@slack/web-api';
import { normalizeText, POST_FIELDS, type PostTexts } from '../../../api/post-fields.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import type { Call } from '../../../handlers/call.ts';
import type { Finding } from '../../../posts/platform-rules/platform-rules.ts';
import { within } from '../../../promises.ts';
import { replaceEmojiCodes } from '../../../slack/text/text.ts';
import { toPostTexts } from './fields.ts';
import { getLastMedia } from './media-field.ts';
import type { PostFormContext, PostState } from './post-form-context.ts';
import { FILL_FIELD_NAMES, fillOwnTexts, fillPlaceholders, joinFilledTexts } from './template-text.ts';
import { listTypedOwnTexts, type OwnTextValues, toTextValues } from './text-fields.ts';

interface TextState {
  values: Parameters<typeof joinFilledTexts>[0]['values'];
  formContext: Pick<PostFormContext, 'customEmoji' | 'placeholders'>;
}

/** Matches texts that may contain an emoji code. */
const POSSIBLE_CODE = /:[^\s:]{1,100}:/u;

/**
 * Builds the text to send: joins all text fields, fills in placeholders, and replaces `:codes:` with emoji.
 * `customEmoji`: the codes, without colons, of emoji that exist only in the workspace.
 */
export function buildPostText({ values, formContext }: TextState): {
  text: string;
  customEmoji: readonly string[];
  hasCodes: boolean;
} {
  return replaceCodes(joinFilledTexts({ values, formContext }), formContext);
}

/** Builds the texts of platforms that get another text than the main one, by platform. See `buildPostText`. */
export function buildOwnTexts({
  values,
  formContext,
}: TextState & { values: OwnTextValues }): Map<string, ReturnType<typeof buildPostText>> {
  const mainText = normalizeText(buildPostText({ values, formContext }).text);
  return new Map(
    listTypedOwnTexts(values)
      .map(([platform, typedText]) => {
        const filledText = fillPlaceholders(typedText, { values, formContext });
        return [platform, replaceCodes(filledText, formContext)] as const;
      })
      .filter(([, { text }]) => normalizeText(text) !== mainText),
  );
}

function replaceCodes(typedText: string, formContext: TextState['formContext']) {
  if (!POSSIBLE_CODE.test(typedText)) return { text: typedText, customEmoji: [], hasCodes: false };
  const { text, customEmoji } = replaceEmojiCodes(
    typedText,
    formContext.customEmoji ? { workspaceEmoji: new Set(formContext.customEmoji) } : {},
  );
  return { text, customEmoji, hasCodes: text !== typedText };
}

const MAX_NAMED_EMOJI = 5;

/** Creates a finding about emoji that exist only in the workspace, so that nobody outside can see them. */
export function createEmojiFindings(names: readonly string[]): Finding[] {
  if (names.length === 0) return [];
  const codes = names.slice(0, MAX_NAMED_EMOJI).map((name) => `:${name}:`);
  const moreText = names.length > codes.length ? ` and ${names.length - codes.length} more` : '';
  const [phrase, pronoun] = names.length === 1 ? ['this emoji', 'it'] : ['these emoji', 'them'];
  const problem = `Only this workspace has ${phrase}: ${codes.join(', ')}${moreText}.`;
  const advice = `Replace ${pronoun}, or leave ${pronoun} out.`;
  return [{ platforms: [], field: 'Content', problem, advice }];
}

/**
 * Updates the custom emoji in the form context, so that they match the text. If Slack doesn't list the workspace's
 * emoji in time, `buildPostText` guesses which codes are custom emoji.
 */
export async function updateCustomEmoji(
  { values, formContext }: PostState,
  call: Call,
): Promise<PostFormContext> {
  const ownTexts = listTypedOwnTexts(values).map(([, text]) => text);
  const typedText = [joinFilledTexts({ values, formContext }), ...ownTexts].join('\n');
  const workspaceEmoji = POSSIBLE_CODE.test(typedText) ? await getWorkspaceEmoji(call) : undefined;
  if (workspaceEmoji) {
    const { customEmoji } = replaceEmojiCodes(typedText, { workspaceEmoji });
    return { ...formContext, customEmoji };
  }
  return formContext.customEmoji === undefined ? formContext : { ...formContext, customEmoji: undefined };
}

/** Summarizes an unfinished post: its first text, or the other typed values. '' if nothing was typed. */
export function summarizeUnfinishedPost(state: PostState): string {
  const ownTexts = Object.values(fillOwnTexts(state));
  const text = [joinFilledTexts(state), ...ownTexts].find((one) => !isBlank(one));
  if (text !== undefined) return text;
  const { when } = state.values;
  const texts: PostTexts = toPostTexts({ ...state.values, media: getLastMedia(state) }, 'name');
  const parts = [
    ...POST_FIELDS.flatMap(({ name, label, isId }) =>
      isId || !texts[name] ? [] : [`${label}: ${texts[name]}`],
    ),
    ...(isBlank(when) ? [] : [`When: ${when}`]),
  ];
  return parts.length === 0 ? '' : ['No text yet', ...parts].join(' · ');
}

/** Creates the prefill with which an unfinished post continues. The texts have the values of the fill fields. */
export function toUnfinishedPrefill(state: PostState): Readonly<Record<string, unknown>> {
  const { values, formContext } = state;
  const { shownMoments, draft, heldPost, series, isDraftForced, excessText = '' } = formContext;
  return {
    ...values,
    ...Object.fromEntries(FILL_FIELD_NAMES.map((name) => [name, ''])),
    ...toTextValues([joinFilledTexts(state) + excessText]),
    ...fillOwnTexts(state),
    // An upload can't be prefilled, but its address can.
    media: getLastMedia(state),
    file: [],
    // The form chooses "Draft" again, unless the person has got access in the meantime.
    ...(isDraftForced && { status: 'SCHEDULED' }),
    ...(shownMoments && { shownMoments }),
    ...(draft !== undefined && { draft }),
    ...(heldPost && { heldPost }),
    ...(series && { series }),
  };
}

/** Lifetime of a cached list of emoji. */
const CACHE_TTL_MS = 60_000;

interface EmojiList {
  /** Ms since the epoch. */
  fetchedAt: number;
  /** Without colons. Resolves with undefined if Slack didn't list the emoji. */
  names: Promise<ReadonlySet<string> | undefined>;
}

/** Cached lists of emoji, by client. A workspace has one client as long as its token is valid. */
const emojiCache = new WeakMap<WebClient, EmojiList>();

/** Returns the names of the workspace's custom emoji, without colons. Undefined if Slack doesn't list them in time. */
async function getWorkspaceEmoji(call: Call): Promise<ReadonlySet<string> | undefined> {
  let list = emojiCache.get(call.client);
  if (!list || call.receivedAt - list.fetchedAt >= CACHE_TTL_MS) {
    list = { fetchedAt: call.receivedAt, names: fetchEmojiNames(call) };
    emojiCache.set(call.client, list);
  }
  return within(call.context.pace.formReadMs, list.names);
}

async function fetchEmojiNames({ client, log, reference }: Call): Promise<ReadonlySet<string> | undefined> {
  try {
    const { emoji } = await client.emoji.list();
    return new Set(Object.keys(emoji ?? {}));
  } catch (error) {
    // The scope `emoji:read` is missing, or Slack is busy.
    log.debug({ reference, err: error }, 'could not list the emoji of the workspace');
    return undefined;
  }
}
