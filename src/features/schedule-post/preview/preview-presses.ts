import type { ActionCall } from '../../../app/call.ts';
import type { FormHandlers } from '../../../forms/create-form.ts';
import type { Change } from '../../../forms/form.ts';
import { checkForm } from '../../../forms/form-state.ts';
import { readPlatforms } from '../../../posts/platforms.ts';
import { type Message, quotingMessage } from '../../../slack/message.ts';
import { answerPress } from '../../../submissions/answer-form.ts';
import { ALL } from '../begin/read-line.ts';
import type { fields } from '../form/fields.ts';
import type { PostFacts } from '../form/post-facts.ts';
import { joinedText } from '../form/text-parts.ts';
import { postForm } from '../post-form.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { chooseMoment } from '../when/when-blocks.ts';
import { forgetPreview, isSent, keepPreview, keptPreview, originOf, type PostState } from './kept-preview.ts';
import { MOMENTS, PREVIEW } from './preview-message.ts';

type Press = ActionCall;
/** What a press says to what was asked. */
type Answer = (state: PostState, value: string) => Change<typeof fields, PostFacts>;

const GONE: Message = {
  text: 'This preview belongs to somebody else, or is no longer kept. Nothing was sent with this press.',
};
const SENT: Message = { text: 'This was sent already. See `/upnext outbox` and `/upnext posts`.' };

/** The handlers of everything in a preview; `form` is the one that it is edited in. */
export function previewActions(
  form: Pick<FormHandlers, 'begin'>,
): Record<string, (call: Press) => Promise<void>> {
  return {
    [PREVIEW.schedule]: send,
    [PREVIEW.save]: send,
    [PREVIEW.edit]: (call) => edit(call, form),
    [PREVIEW.cancel]: cancel,
    [PREVIEW.draft]: (call) => answer(call, asDraft),
    [PREVIEW.project]: (call) => answer(call, withProject),
    [PREVIEW.platform]: (call) => answer(call, withPlatform),
    ...Object.fromEntries(MOMENTS.map((id) => [id, (call: Press) => answer(call, withMoment)])),
  };
}

/** [Schedule], [Save draft]: as it was shown; where that cannot be any more, what is missing is asked for again. */
async function send(call: Press): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE);
  const { state, channel } = preview;
  const checked = checkForm(postForm, state);
  if (checked.kind === 'good') {
    const at = { origin: originOf(id), ...(channel !== undefined && { channel }) };
    return answerPress(call, postSubmission, { ...at, contents: checked.contents });
  }
  // Its moment may be over because it was sent long ago.
  const shown = (await isSent(call, id)) ? SENT : await keepPreview(call, id, preview);
  await call.reply(shown, { replace: true });
}

/** [Edit]: the form with everything that the preview has; the two together send once. */
async function edit(call: Press, form: Pick<FormHandlers, 'begin'>): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE);
  const { state, channel } = preview;
  const prefill = { ...state.typed, ...(state.facts.shown && { shown: state.facts.shown }) };
  await form.begin(call, { ...(channel !== undefined && { channel }), prefill }, { formId: originOf(id) });
}

/** [Cancel]: nothing of it is kept but what stands in the answer. */
async function cancel(call: Press): Promise<void> {
  const id = call.action.value ?? '';
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE, { replace: true });
  if (await isSent(call, id)) return call.reply(SENT, { replace: true });
  await forgetPreview(call, id, preview.state);
  const text = joinedText(preview.state.typed);
  await call.reply(quotingMessage(text, 'Cancelled: nothing was sent.'), { replace: true });
}

async function answer(call: Press, said: Answer): Promise<void> {
  const [id = '', ...rest] = (call.action.chosen ?? call.action.value ?? '').split('.');
  const preview = await keptPreview(call, id);
  if (!preview) return call.reply(GONE);
  const change = said(preview.state, rest.join('.'));
  await call.reply(await keepPreview(call, id, preview, change), { replace: true });
}

const asDraft: Answer = () => ({ typed: { status: 'DRAFT' } });

/** By its place among those that were offered. */
const withProject: Answer = ({ typed, facts }, value) => ({
  typed: { project: facts.projects[Number(value)] ?? typed.project },
});

const withPlatform: Answer = ({ typed: { platforms } }, value) => ({
  typed: { platforms: value === 'all' ? [...ALL] : [...platforms, ...(readPlatforms([value]) ?? [])] },
});

const withMoment: Answer = (state, value) => chooseMoment(value, state);
