import { PLATFORMS } from '../../api/platforms.ts';
import { nameById } from '../../api/project-ids.ts';
import { type Form, type FormAnswer, invalid, valid } from '../../forms/form.ts';
import { type ZonedContext, zonedLoader } from '../../forms/form-context.ts';
import { checkboxesField, multiSelectField } from '../../forms/inputs/choice.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import { userField } from '../../forms/inputs/slack-choice.ts';
import { textField } from '../../forms/inputs/text.ts';
import { answerFormWhenReady, TAKES_LONGER } from '../../handlers/answer-when-ready.ts';
import type { SubmissionCall } from '../../handlers/call.ts';
import { listPlatformChoices } from '../../posts/platforms.ts';
import { HELD, PUBLICATION } from '../../posts/state-copy.ts';
import { sanitizeLine } from '../../slack/blocks.ts';
import { addBlocks, type Message } from '../../slack/message.ts';
import { buildModal, type Modal } from '../../slack/message-view.ts';
import { renderRange, understandRange } from '../../when/range.ts';
import {
  addRange,
  FILTER_STATUSES,
  isSlackId,
  type ListState,
  MAX_SEARCH_LENGTH,
  type PostFilter,
} from './post-filter.ts';
import { COMMAND, createListMessage } from './show-list.ts';

const UNDATED_OPTION = 'UNDATED';

const fields = {
  project: projectField(),
  status: checkboxesField({
    label: 'Which posts',
    optional: true,
    hint: 'Leave empty for all.',
    choices: [
      { value: 'SCHEDULED', name: HELD.delivered.name },
      { value: 'PUBLISHED', name: PUBLICATION.published.name },
      { value: 'DRAFT', name: 'Drafts with a date' },
      { value: UNDATED_OPTION, name: 'Drafts without a date' },
      { value: 'PENDING', name: 'Pending', description: 'Not sent to the service yet' },
      { value: 'UNCERTAIN', name: 'Uncertain', description: 'I don’t know whether the service got it' },
      { value: 'FAILED', name: PUBLICATION.failed.name, description: 'And posts that need a decision' },
      { value: 'HELD', name: HELD.held.name, description: 'I keep them until shortly before their time' },
      { value: 'REVIEW', name: HELD['awaiting-review'].name },
      { value: 'CANCELLED', name: HELD.cancelled.name },
    ],
  }),
  platforms: multiSelectField({
    label: 'Platforms',
    optional: true,
    placeholder: 'All platforms',
    choices: listPlatformChoices().map(({ platform, name }) => ({ value: platform, name })),
  }),
  days: textField({
    label: 'Days',
    optional: true,
    placeholder: 'this week',
    hint: 'For example “this week” or “from monday to friday”. Leave empty for all days.',
  }),
  search: textField({
    label: 'Text',
    optional: true,
    placeholder: 'coffee',
    maxLength: MAX_SEARCH_LENGTH,
    hint: 'Posts that contain all these words.',
  }),
  author: userField({
    label: 'Scheduled by',
    optional: true,
    placeholder: 'Anyone',
    hint: 'Posts made outside Slack aren’t included.',
  }),
};

type FilteredList = ListState & { filter: PostFilter };

/** The form for a filter. The text after `/upnext posts` can express the same filters. */
export const filterForm: Form<typeof fields, ZonedContext, FilteredList> = {
  name: 'list-posts-filter',
  version: 1,
  noun: 'filter of the list of posts',
  title: 'Filter posts',
  submitLabel: 'Apply',
  command: `${COMMAND} filter`,
  fields,
  contextLoader: zonedLoader,
  check({ values, formContext, now }) {
    const filter: PostFilter = {
      statuses: FILTER_STATUSES.filter((status) => values.status.includes(status)),
      platforms: PLATFORMS.filter((platform) => values.platforms.includes(platform)),
      ...(values.author !== '' && { author: values.author }),
      ...(values.search.trim() !== '' && { search: sanitizeLine(values.search) }),
      ...chooseDrafts(values.status),
    };
    if (!values.project) return invalid({});
    if (filter.isUndatedOnly && filter.statuses.length > 0)
      return invalid({ status: 'Choose “Drafts without a date” alone, or with “Drafts with a date”.' });
    const state = { project: values.project.id, page: 0 };
    if (values.days.trim() === '') return valid({ ...state, filter });
    if (filter.isUndatedOnly)
      return invalid({ days: 'Drafts without a date have no days. Leave this empty.' });
    const { actorZone: zone = 'UTC', actorLocale: locale, dateOrder } = formContext;
    const reading = understandRange({ text: values.days, now, zone, locale, dateOrder });
    switch (reading.kind) {
      case 'understood':
        return valid({ ...state, filter: addRange(filter, reading.range) });
      case 'ambiguous':
        return invalid({
          days: `Which one? ${reading.candidates.map(({ text }) => `“${text}”`).join(' or ')}`,
        });
      case 'not-understood':
        return invalid({
          days: `${reading.reason} What works: ${reading.examples.map((example) => `“${example}”`).join(', ')}.`,
        });
    }
  },
  onSubmit: { respond: showListInForm },
};

/** Converts the two choices about drafts. Both together match all drafts. */
function chooseDrafts(status: readonly string[]): Partial<PostFilter> {
  const hasDated = status.includes('DRAFT');
  const hasUndated = status.includes(UNDATED_OPTION);
  if (hasDated === hasUndated) return {};
  return hasDated ? { omitsUndatedDrafts: true } : { isUndatedOnly: true };
}

/** The opposite of `chooseDrafts`: the chosen statuses of a filter. */
function listChosenStatuses({ isUndatedOnly, omitsUndatedDrafts, ...filter }: PostFilter): string[] {
  // Slack allows ten choices, so “Failed” stands for posts that need a decision too.
  const statuses = [...new Set(filter.statuses.map((status) => (status === 'DECISION' ? 'FAILED' : status)))];
  if (isUndatedOnly) return [...statuses.filter((status) => status !== 'DRAFT'), UNDATED_OPTION];
  const hasUndated = statuses.includes('DRAFT') && !omitsUndatedDrafts;
  return [...statuses, ...(hasUndated ? [UNDATED_OPTION] : [])];
}

function showListInForm(call: SubmissionCall, state: FilteredList): Promise<FormAnswer> {
  const list = createListMessage(call, state).then((message) => ({
    view: renderListView(call.sealButtons(message)),
  }));
  return answerFormWhenReady(call, list, renderListView({ text: `${TAKES_LONGER} Still waiting…` }));
}

function renderListView(message: Message): Modal {
  return buildModal('Posts', addBlocks(message).blocks);
}

export function prefillFilter(
  { project: id, filter }: ListState,
  { now, user }: { now: Date; user: string },
): Readonly<Record<string, unknown>> {
  if (!filter) return id === undefined ? {} : { project: nameById(id) };
  const { from, to, zone } = filter;
  const hasDateRange = zone !== undefined && (from !== undefined || to !== undefined);
  return {
    ...(id !== undefined && { project: nameById(id) }),
    status: listChosenStatuses(filter),
    platforms: filter.platforms,
    search: filter.search ?? '',
    author: getAuthorId(filter, user),
    days: hasDateRange ? renderRange({ from, to, zone }, { now }) : '',
  };
}

/** Returns the Slack id of the filter's author. The form can't show a typed name. */
function getAuthorId({ isMineOnly, author = '' }: PostFilter, user: string): string {
  if (isMineOnly) return user;
  return isSlackId(author) ? author : '';
}
