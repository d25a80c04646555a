import type { ModalView } from '@slack/types';
import { readCurrentForm } from '../../../forms/current-form.ts';
import { buildActionId } from '../../../forms/field.ts';
import { handleButtonPress, runInForm } from '../../../forms/live-form.ts';
import type { ActionCall, Handler } from '../../../handlers/call.ts';
import { renderFinding } from '../../../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { renderPostText } from '../../../posts/post-text.ts';
import { chooseDateOrder } from '../../../preferences/date-order.ts';
import { listPolicies, SUGGESTED_LEAD_MINUTES } from '../../../preferences/project-policy.ts';
import { context, divider, escapeText, plain, plainSection, section } from '../../../slack/blocks.ts';
import { buildPicture } from '../../../slack/message.ts';
import { buildModal } from '../../../slack/message-view.ts';
import { capitalize } from '../../../words.ts';
import { answerHolding, HOLDING_ANSWERS } from '../hold/holding-question.ts';
import { postForm } from '../post-form.ts';
import { CHOICE_BUTTONS, chooseMoment, findChosenOrder } from '../when/when-field.ts';
import { FORM_NAME, type PostState } from './fields.ts';
import { getKnownMedia, getMedia, updateMedia } from './media-field.ts';
import { checkPlatformRules, FINDING_FIELDS, PREVIEW_BUTTON, REST_BUTTON } from './platform-findings.ts';
import { toFormPolicies } from './post-form-context.ts';
import { buildPostText } from './post-text.ts';

/** The form's buttons that do more than change it: they show something on top, or change the project's policy. */
export const FORM_ACTIONS: Readonly<Record<string, Handler<ActionCall>>> = {
  [PREVIEW_BUTTON]: {
    deed: 'open the preview of a post',
    run: (call) => showAboveForm(call, async (state) => renderFeeds(await takeChosenFile(state, call))),
  },
  [REST_BUTTON]: { deed: 'fill in the post form', run: (call) => showAboveForm(call, renderRest) },
  ...Object.fromEntries(
    CHOICE_BUTTONS.map((name) => [
      buildActionId(FORM_NAME, name),
      {
        deed: 'fill in the post form' as const,
        run: (call: ActionCall) => runInForm(call, () => chooseTime(call)),
      },
    ]),
  ),
  [HOLDING_ANSWERS.keep]: {
    deed: 'change the policy of posts',
    run: (call) => runInForm(call, () => applyHoldingAnswer(call, SUGGESTED_LEAD_MINUTES)),
  },
  [HOLDING_ANSWERS.atOnce]: {
    deed: 'change the policy of posts',
    run: (call) => runInForm(call, () => applyHoldingAnswer(call, undefined)),
  },
};

async function showAboveForm(
  call: ActionCall,
  render: (state: PostState) => ModalView | Promise<ModalView>,
): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  if (!current)
    return call.reply({ text: 'This form is out of date. Open a new one with `/schedule-post`.' });
  await call.openView(await render(current.state));
}

/** Takes a file that was just chosen: Slack doesn't report the choice. */
async function takeChosenFile(state: PostState, call: ActionCall): Promise<PostState> {
  if (state.values.file.length === 0) return state;
  const media = await updateMedia(state, call);
  return { ...state, formContext: { ...state.formContext, media } };
}

/** Renders the text that doesn't fit into the form. */
function renderRest({ formContext: { excessText: content = '' } }: PostState): ModalView {
  const blocks = renderPostText({ post: { content, platforms: [] }, hasWholeText: true });
  return buildModal('Rest of the text', blocks, 'Back');
}

/** Number of characters that show where a feed cuts a text off. */
const SHOWN_END = 40;

/** Renders the text and the picture once, and for each platform its count, its limit, its warnings and what its feed does with the text. */
function renderFeeds(state: PostState): ModalView {
  const { feedPreviews, refusals, warnings, own } = checkPlatformRules(state);
  const mediaProblem = getKnownMedia(state)?.problem;
  // "Needs media" would be wrong about a file that can't be used yet.
  const fields = FINDING_FIELDS.filter((field) => field !== 'media' || mediaProblem === undefined);
  const findings = [
    ...fields.flatMap((field) => [...refusals[field], ...warnings[field]]),
    ...[...own.values()].flatMap((finding) => [...finding.refusals, ...finding.warnings]),
  ];
  const text = buildPostText(state).text.trim();
  const picture = buildPicture(getMedia(state), state.values.altText);
  const media = mediaProblem === undefined ? picture : context(plain(`⚠️ ${mediaProblem}`));
  const feeds = feedPreviews.flatMap(({ platformName, count, notes, visibleText, isCut, ownText }) => {
    const lines = [
      ...notes.filter((note) => note !== count),
      ...(isCut ? [`“…${visibleText.slice(-SHOWN_END)}…see more”`] : []),
    ];
    const problems = findings.filter(({ platforms }) =>
      platforms.some((platform) => renderPlatformNames([platform]) === platformName),
    );
    return [
      section(`*${escapeText(platformName)}* · ${count}`),
      ...(ownText === undefined ? [] : [plainSection(ownText.trim())]),
      ...(lines.length > 0 ? [context(plain(capitalize(lines.join(' · '))))] : []),
      ...problems.map((finding) => context(plain(`⚠️ ${renderFinding(finding)}`))),
    ];
  });
  return buildModal(
    'Preview',
    [
      context(plain(state.values.project?.name ?? 'No project chosen')),
      ...(feeds.length > 0
        ? // Each platform may have a text of its own.
          [...(text === '' ? [] : [plainSection(text)]), ...(media ? [media] : []), divider(), ...feeds]
        : [section('Write a text and choose a platform to see a preview.')]),
    ],
    'Back',
  );
}

/** Chooses a time that the text can mean, and remembers the order of day and month that the choice shows. */
async function chooseTime(call: ActionCall): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  const order = current && findChosenOrder(call.action.value, current.state);
  if (order) await chooseDateOrder(call.context.db, call.actor, order);
  await handleButtonPress(postForm, call, chooseMoment);
}

/** Stores the answer, and renders the form again. */
async function applyHoldingAnswer(call: ActionCall, leadMinutes: number | undefined): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  const project = current?.state.values.project?.id;
  if (project === undefined) return call.recordOutcome?.('unchanged');
  await answerHolding(call, project, leadMinutes);
  const policies = toFormPolicies(await listPolicies(call.context.db, call.actor.workspace));
  await handleButtonPress(postForm, call, (_value, { formContext }) => ({
    formContext: { ...formContext, policies },
  }));
}
