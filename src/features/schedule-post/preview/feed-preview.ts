import type { ModalView } from '@slack/types';
import type { ActionCall } from '../../../app/call.ts';
import { readCurrentForm } from '../../../forms/current-form.ts';
import { renderPostText } from '../../../posts/post-text.ts';
import { context, divider, escapeText, plain, plainSection, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { checkPlatformRules, type PlatformRulesState } from '../form/platform-findings.ts';
import { postForm } from '../post-form.ts';

const FORM_OUTDATED = 'This form is out of date. Open a new one with `/schedule-post`.';

/** Handles [Preview] in the form. Shows the feeds on top of the form, which keeps its content. */
export async function handlePreviewPress(call: ActionCall): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  if (!current) return call.reply({ text: FORM_OUTDATED });
  await call.openView(renderFeeds(current.state, 'Back'));
}

/** Handles [Show the rest] in the form. Shows the text that doesn't fit on top of the form, which keeps its content. */
export async function handleRestPress(call: ActionCall): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  if (!current) return call.reply({ text: FORM_OUTDATED });
  const { excessText: content = '' } = current.state.formContext;
  await call.openView({
    type: 'modal',
    title: plain('Rest of the text', LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: renderPostText({ post: { content, platforms: [] }, hasWholeText: true }),
  });
}

/** Renders the post as each platform's feed shows it. `close`: the label of the button that closes the view. */
export function renderFeeds(state: PlatformRulesState, close: 'Back' | 'Close'): ModalView {
  const { feedPreviews } = checkPlatformRules(state);
  const feeds = feedPreviews.flatMap(({ platformName, notes, visibleText, isCut }) => [
    divider(),
    section(`*${escapeText(platformName)}*`),
    plainSection(isCut ? `${visibleText}…see more` : visibleText),
    ...(notes.length > 0 ? [context(plain(capitalize(notes.join(' · '))))] : []),
  ]);
  return {
    type: 'modal',
    title: plain('Preview', LIMITS.viewTitle),
    close: plain(close, LIMITS.viewTitle),
    blocks: [
      context(plain(state.values.project?.name ?? 'No project chosen')),
      ...(feeds.length > 0 ? feeds : [section('Write a text and choose a platform to see a preview.')]),
    ],
  };
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
