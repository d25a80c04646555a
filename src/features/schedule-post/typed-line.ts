import { randomUUID } from 'node:crypto';
import type { FormHandlers } from '../../forms/create-form.ts';
import { applyChange, checkForm } from '../../forms/current-form.ts';
import { buildActionId, computeInitialValues } from '../../forms/field.ts';
import { startTyped, storeForm } from '../../forms/stored-form.ts';
import { answerWhenReady } from '../../handlers/answer-when-ready.ts';
import type { ActionCall, Call } from '../../handlers/call.ts';
import { showFormSubmissions } from '../../handlers/show-submission.ts';
import { renderDestination } from '../../posts/platforms.ts';
import { renderPostBody, toExcerpt } from '../../posts/post-text.ts';
import { actions, button, context, escapeText, plain, section } from '../../slack/blocks.ts';
import { addBlocks, buildQuotingMessage, type Message } from '../../slack/message.ts';
import { FORM_NAME, fields, type PostState } from './form/fields.ts';
import { buildPostText } from './form/post-text.ts';
import { showFormHeldPosts } from './hold/hold-posts.ts';
import { showFormSeries } from './hold/hold-series.ts';
import { postForm } from './post-form.ts';
import { postFormLoader } from './prefill/load-post-form.ts';
import { splitLine } from './prefill/split-line.ts';
import { readWhen } from './when/read-when.ts';
import { renderWhenLine } from './when/when-text.ts';

/** [Open] below a line that was typed where no form can open. */
export const OPEN_LINE_ACTION = buildActionId(FORM_NAME, 'open-line');

export async function storeLine(call: Call, line: string, changes?: readonly string[]): Promise<string> {
  const id = randomUUID();
  await storeForm(postForm, call, id, {
    channel: call.channel,
    ...startTyped({ line, changes }, splitLine(line).text ?? line, call.now()),
  });
  return id;
}

/** Shows what was understood of a line in a mention or a direct message, where Slack opens a form only after a press. */
export async function answerLine(call: Call, line: string, changes: readonly string[]): Promise<void> {
  const id = await storeLine(call, line, changes);
  await answerWhenReady(call, readLine(call, id, { line, changes }));
}

async function readLine(call: Call, id: string, typed: { line: string; changes: readonly string[] }) {
  const loadResult = await postFormLoader.load(call, { channel: call.channel, prefill: typed });
  const openButton = actions(button('Open', OPEN_LINE_ACTION, id, 'primary'));
  if ('failureText' in loadResult) {
    const { text = typed.line } = splitLine(typed.line);
    const message = buildQuotingMessage(text, `:warning: *Not sent.* ${loadResult.failureText}`);
    return addBlocks(message, openButton);
  }
  const { formContext, prefill = {} } = loadResult;
  const values = computeInitialValues(fields, prefill, formContext);
  const { state } = applyChange(postForm, { values, formContext, now: call.now() });
  return addBlocks(renderUnderstood(state), openButton);
}

function renderUnderstood(state: PostState): Message {
  const { values, formContext } = state;
  const { text } = buildPostText(state);
  const checkResult = checkForm(postForm, state);
  const errors = checkResult.kind === 'valid' ? {} : checkResult.errors;
  // The line about the time explains its own problem.
  const problems = Object.entries(errors).flatMap(([field, error]) =>
    error === undefined || (field === 'when' && values.when !== '') ? [] : [`• ${error}`],
  );
  const statement =
    checkResult.kind === 'valid' ? 'Open this post to schedule it.' : 'Open this post to finish it.';
  return {
    text: escapeText(`${statement} ${toExcerpt(text)}`.trim()),
    blocks: [
      section(`*${statement}*`),
      ...(values.when === '' ? [] : [section(renderWhenLine(readWhen(state), state))]),
      context(
        plain(renderDestination(values.project?.name, values.platforms)),
        ...(values.status === 'DRAFT' ? ['Draft'] : []),
      ),
      ...renderPostBody({ content: text, media: values.media, platforms: [] }),
      ...(problems.length > 0 ? [section(`*Still needed:*\n${problems.map(escapeText).join('\n')}`)] : []),
      ...(formContext.notes ? [context(plain(formContext.notes.join('\n')))] : []),
    ],
  };
}

const LINE_EXPIRED: Message = {
  text: 'This isn’t yours, or it’s too old. Write the post with `/schedule-post`, or see what’s scheduled with `/upnext posts`.',
};

/** [Open] opens the form with what was typed. If it was submitted before, the message shows the posts or the series. */
export async function openLine(call: ActionCall, form: Pick<FormHandlers, 'reopenForm'>): Promise<void> {
  const id = call.action.value ?? '';
  const isAnswered =
    (await showFormSubmissions(call, id)) ||
    (await showFormHeldPosts(call, id)) ||
    (await showFormSeries(call, id)) ||
    (await form.reopenForm(call, id));
  if (!isAnswered) await call.reply(LINE_EXPIRED);
}
