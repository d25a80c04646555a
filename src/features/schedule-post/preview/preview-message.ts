import type { Button, KnownBlock } from '@slack/types';
import { buildActionId } from '../../../forms/field.ts';
import type { CheckResult } from '../../../forms/form.ts';
import { FROM_CACHE_NOTICE } from '../../../forms/form-context.ts';
import { listPlatformChoices, renderPlatformNames } from '../../../posts/platforms.ts';
import { renderPostBody, toExcerpt } from '../../../posts/render-post.ts';
import { actions, button, context, option, plain, section } from '../../../slack/blocks.ts';
import { escapeText } from '../../../slack/escape.ts';
import { LIMITS } from '../../../slack/limits.ts';
import type { Message } from '../../../slack/message.ts';
import { PRACTICE_NOTICE } from '../../../slack/practice.ts';
import { FORM, type fields } from '../form/fields.ts';
import { codesNote, JUDGED, type JudgedState, judgePost } from '../form/judge-post.ts';
import { postText } from '../form/post-text.ts';
import { type PostContent, postWords } from '../sent/post-content.ts';
import { readWhen } from '../when/read-when.ts';
import { choiceValue, choiceWords, offeredMoments } from '../when/when-field.ts';
import { whenLine } from '../when/when-words.ts';

/** Action ids in a preview. */
export const PREVIEW = {
  schedule: buildActionId(FORM, 'preview-schedule'),
  save: buildActionId(FORM, 'preview-save'),
  draft: buildActionId(FORM, 'preview-draft'),
  edit: buildActionId(FORM, 'preview-edit'),
  cancel: buildActionId(FORM, 'preview-cancel'),
  project: buildActionId(FORM, 'preview-project'),
  platform: buildActionId(FORM, 'preview-platform'),
} as const;

/** Action ids of the suggested moments: Slack needs a different id for each button. */
export const MOMENTS = [0, 1, 2, 3].map((index) => buildActionId(FORM, `preview-moment-${index}`));

/** A message's blocks hold about 11,000 characters, and an option takes about 100. [Edit] can search all projects. */
const MAX_PROJECTS = 40;

type PreviewState = JudgedState & {
  values: { project: PostContent['project'] | undefined; template: unknown };
};

/** A preview of a typed line: the post, and what is missing. */
interface Preview {
  /** Opaque. The buttons' values begin with it. */
  id: string;
  state: PreviewState;
  checked: CheckResult<typeof fields, PostContent>;
  practice: boolean;
}

/** A message that only the person sees, before anything is sent. */
export function previewMessage(preview: Preview): Message {
  const { state, checked, practice } = preview;
  const { values, now } = state;
  const isDraft = values.status === 'DRAFT';
  const [first] = checked.kind === 'valid' ? checked.contents : [];
  const count = checked.kind === 'valid' ? checked.contents.length : 0;
  const kind = isDraft ? 'draft' : 'post';
  const what = count > 1 ? `These ${count} ${kind}s are not sent yet.` : `This ${kind} is not sent yet.`;
  const { text } = postText(state);
  const title = first ? `${postWords.title(first, { now, practice })}: ` : '';
  return {
    text: escapeText(`${what} ${title}${toExcerpt(text)}`.trim()),
    blocks: [
      section(`*${what}*`),
      section(whenLine(readWhen(state), now, state.formContext.actorZone)),
      context(
        plain(`Project: ${values.project?.name ?? 'not chosen yet'}`),
        plain(values.platforms.length > 0 ? renderPlatformNames(values.platforms) : 'No platform yet'),
        ...(isDraft ? ['Draft'] : []),
      ),
      ...renderPostBody({ content: text, media: values.media, platforms: [] }),
      ...stateBlocks(state),
      ...missing(preview),
      ...buttons(preview, count),
      context(
        'Only you see this. What is sent cannot be changed or removed from here.',
        ...(practice ? [PRACTICE_NOTICE] : []),
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
  if (checked.kind === 'valid') return [];
  const { errors } = checked;
  const { values, formContext } = state;
  const lines = Object.entries(errors).flatMap(([field, words]) =>
    words === undefined || field === 'when' || isJudged(state, field) ? [] : [`• ${words}`],
  );
  const moments = errors.when === undefined ? [] : offeredMoments(state).slice(0, MOMENTS.length);
  const projects = formContext.projects
    .slice(0, MAX_PROJECTS)
    .map(({ name }, index) => option(name, `${id}.${index}`));
  const platforms = listPlatformChoices().filter(({ platform }) => !values.platforms.includes(platform));
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
  const isDraft = state.values.status === 'DRAFT';
  const many = count > 1 ? ` ${count}` : '';
  const send: Button[] =
    checked.kind === 'valid'
      ? [
          isDraft
            ? button(count > 1 ? `Save ${count} drafts` : 'Save draft', PREVIEW.save, id, 'primary')
            : button(`Schedule${many}`, PREVIEW.schedule, id, 'primary'),
        ]
      : [];
  const lacksMoment = checked.kind === 'invalid' && checked.errors.when !== undefined && !isDraft;
  return [
    actions(
      ...send,
      button('Edit', PREVIEW.edit, id),
      ...(lacksMoment ? [button('Make it a draft', PREVIEW.draft, id)] : []),
      button('Cancel', PREVIEW.cancel, id),
    ),
  ];
}
