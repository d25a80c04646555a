import type { ModalView } from '@slack/types';
import { readCurrentForm } from '../../../forms/current-form.ts';
import type { ActionCall, Handler } from '../../../handlers/call.ts';
import { renderPostText } from '../../../posts/post-text.ts';
import { context, divider, escapeText, plain, plainSection, section } from '../../../slack/blocks.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { postForm } from '../post-form.ts';
import {
  checkPlatformRules,
  type PlatformRulesState,
  PREVIEW_BUTTON,
  REST_BUTTON,
} from './platform-findings.ts';

/** The buttons that show something on top of the form, which keeps its content. */
export const FEED_ACTIONS: Readonly<Record<string, Handler<ActionCall>>> = {
  [PREVIEW_BUTTON]: {
    deed: 'open the preview of a post',
    run: (call) => showAboveForm(call, renderFeeds),
  },
  [REST_BUTTON]: { deed: 'fill in the post form', run: (call) => showAboveForm(call, renderRest) },
};

async function showAboveForm(
  call: ActionCall,
  render: (state: PlatformRulesState) => ModalView,
): Promise<void> {
  const current = call.view && (await readCurrentForm(postForm, call, call.view));
  if (!current)
    return call.reply({ text: 'This form is out of date. Open a new one with `/schedule-post`.' });
  await call.openView(render(current.state));
}

/** Renders the text that doesn't fit into the form. */
function renderRest({ formContext: { excessText: content = '' } }: PlatformRulesState): ModalView {
  return {
    type: 'modal',
    title: plain('Rest of the text', LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: renderPostText({ post: { content, platforms: [] }, hasWholeText: true }),
  };
}

/** Renders the post as each platform's feed shows it. */
function renderFeeds(state: PlatformRulesState): ModalView {
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
    close: plain('Back', LIMITS.viewTitle),
    blocks: [
      context(plain(state.values.project?.name ?? 'No project chosen')),
      ...(feeds.length > 0 ? feeds : [section('Write a text and choose a platform to see a preview.')]),
    ],
  };
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
