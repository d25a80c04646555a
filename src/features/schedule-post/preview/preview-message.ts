import type { Button, KnownBlock } from '@slack/types';
import { actionId } from '../../../forms/field.ts';
import type { Checked } from '../../../forms/form.ts';
import { FROM_CACHE_NOTICE } from '../../../forms/form-context.ts';
import { platformChoices, platformNames } from '../../../posts/platforms.ts';
import { excerpt, postBody } from '../../../posts/post-card.ts';
import { actions, button, context, option, plain, section } from '../../../slack/blocks.ts';
import { EMULATOR_NOTICE } from '../../../slack/emulator-notice.ts';
import { escapeText } from '../../../slack/escape.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';
import { FORM, type fields } from '../form/fields.ts';
import { codesNote, JUDGED, type JudgedState, judgePost } from '../form/judge-post.ts';
import { postText } from '../form/post-text.ts';
import { type PostContent, postWords } from '../sent/post-content.ts';
import { readWhen } from '../when/read-when.ts';
import { choiceValue, choiceWords, offeredMoments } from '../when/when-field.ts';
import { whenLine } from '../when/when-words.ts';

/** Action ids in a preview. */
export const PREVIEW = {
  schedule: actionId(FORM, 'preview-schedule'),
  save: actionId(FORM, 'preview-save'),
  draft: actionId(FORM, 'preview-draft'),
  edit: actionId(FORM, 'preview-edit'),
  cancel: actionId(FORM, 'preview-cancel'),
  project: actionId(FORM, 'preview-project'),
  platform: actionId(FORM, 'preview-platform'),
} as const;

/** Action ids of the suggested moments: Slack needs a different id for each button. */
export const MOMENTS = [0, 1, 2, 3].map((index) => actionId(FORM, `preview-moment-${index}`));

/** A message's blocks hold about 11,000 characters, and an option takes about 100. [Edit] can search all projects. */
const MAX_PROJECTS = 40;

type PreviewState = JudgedState & {
  typed: { project: PostContent['project'] | undefined; template: unknown };
};

/** A preview of a typed line: the post, and what is missing. */
interface Preview {
  /** Opaque. The buttons' values begin with it. */
  id: string;
  state: PreviewState;
  checked: Checked<typeof fields, PostContent>;
  practice: boolean;
}

/** A message that only the person sees, before anything is sent. */
export function previewMessage(preview: Preview): Message {
  const { state, checked, practice } = preview;
  const { typed, now } = state;
  const isDraft = typed.status === 'DRAFT';
  const [first] = checked.kind === 'good' ? checked.contents : [];
  const count = checked.kind === 'good' ? checked.contents.length : 0;
  const kind = isDraft ? 'draft' : 'post';
  const what = count > 1 ? `These ${count} ${kind}s are not sent yet.` : `This ${kind} is not sent yet.`;
  const { text } = postText(state);
  const title = first ? `${postWords.title(first, { now, practice })}: ` : '';
  return {
    text: escapeText(`${what} ${title}${excerpt(text)}`.trim()),
    blocks: [
      section(`*${what}*`),
      section(whenLine(readWhen(state), now, state.formContext.readerZone)),
      context(
        plain(`Project: ${typed.project?.name ?? 'not chosen yet'}`),
        plain(typed.platforms.length > 0 ? platformNames(typed.platforms) : 'No platform yet'),
        ...(isDraft ? ['Draft'] : []),
      ),
      ...postBody({ content: text, media: typed.media, platforms: [] }),
      ...stateBlocks(state),
      ...missing(preview),
      ...buttons(preview, count),
      context(
        'Only you see this. What is sent cannot be changed or removed from here.',
        ...(practice ? [EMULATOR_NOTICE] : []),
      ),
    ],
  };
}

/** The findings of the platform rules, and notes about the post. */
function stateBlocks(state: PreviewState): KnownBlock[] {
  const { stops, warnings, counts } = judgePost(state);
  const lines = [
    ...(counts === '' ? [] : [counts]),
    ...JUDGED.flatMap((field) => stops[field]).map((words) => `⛔ ${words}`),
    ...JUDGED.flatMap((field) => warnings[field]).map((words) => `⚠️ ${words}`),
    ...(state.formContext.isFromCache ? [FROM_CACHE_NOTICE] : []),
    ...(state.formContext.said ?? []),
  ];
  return [...(lines.length === 0 ? [] : [context(plain(lines.join('\n')))]), ...codesNote(state)];
}

/** The missing values, with buttons and menus for those that can be chosen. */
function missing({ id, state, checked }: Preview): KnownBlock[] {
  if (checked.kind === 'good') return [];
  const { errors } = checked;
  const { typed, formContext } = state;
  const lines = Object.entries(errors).flatMap(([field, words]) =>
    words === undefined || field === 'when' || isJudged(state, field) ? [] : [`• ${words}`],
  );
  const moments = errors.when === undefined ? [] : offeredMoments(state).slice(0, MOMENTS.length);
  const projects = formContext.projects
    .slice(0, MAX_PROJECTS)
    .map(({ name }, index) => option(name, `${id}.${index}`));
  const platforms = platformChoices().filter(({ platform }) => !typed.platforms.includes(platform));
  const asks = [
    ...moments.map((choice, index) =>
      button(choiceWords(choice, state.now), MOMENTS[index] ?? '', `${id}.${choiceValue(choice)}`),
    ),
    ...(errors.project === undefined || projects.length === 0
      ? []
      : [select(PREVIEW.project, 'Choose a project', projects)]),
    ...(errors.platforms === undefined
      ? []
      : [
          select(PREVIEW.platform, 'Choose a platform', [
            ...platforms.map(({ platform, name }) => option(name, `${id}.${platform}`)),
            option('All of them', `${id}.all`),
          ]),
        ]),
  ];
  return [
    ...(lines.length === 0 ? [] : [section(`*Still needed:*\n${lines.map(escapeText).join('\n')}`)]),
    ...(asks.length === 0 ? [] : [actions(...asks)]),
  ];
}

/** Whether the preview already shows a platform's finding about this field. */
function isJudged(state: PreviewState, field: string): boolean {
  const { stops } = judgePost(state);
  return JUDGED.some((judged) => field.startsWith(judged) && stops[judged].length > 0);
}

function select(action: string, placeholder: string, options: ReturnType<typeof option>[]) {
  return {
    type: 'static_select' as const,
    action_id: action,
    placeholder: plain(placeholder, LIMITS.placeholder),
    options,
  };
}

function buttons({ id, state, checked }: Preview, count: number): KnownBlock[] {
  const isDraft = state.typed.status === 'DRAFT';
  const many = count > 1 ? ` ${count}` : '';
  const send: Button[] =
    checked.kind === 'good'
      ? [
          isDraft
            ? button(count > 1 ? `Save ${count} drafts` : 'Save draft', PREVIEW.save, id, 'primary')
            : button(`Schedule${many}`, PREVIEW.schedule, id, 'primary'),
        ]
      : [];
  const lacksMoment = checked.kind === 'faulty' && checked.errors.when !== undefined && !isDraft;
  return [
    actions(
      ...send,
      button('Edit', PREVIEW.edit, id),
      ...(lacksMoment ? [button('Make it a draft', PREVIEW.draft, id)] : []),
      button('Cancel', PREVIEW.cancel, id),
    ),
  ];
}
