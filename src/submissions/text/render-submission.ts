import type { KnownBlock } from '@slack/types';
import { EMULATOR_NOTICE } from '../../slack/emulator-notice.ts';
import type { AnyKind, TextContext } from '../kind.ts';
import type { Machine } from '../machine.ts';
import type { SubmissionRow } from '../sql/submissions.ts';
import { getRule } from '../state-copy.ts';
import { openRefusal, readContent, type ServiceRefusal } from '../submission.ts';

/** A submission with its text, for the functions that render blocks. */
export interface RenderedSubmission {
  id: string;
  rule: ReturnType<typeof getRule>;
  /** "post", "invitation" …, for sentences. */
  noun: string;
  title: string;
  /** The kind's text about a confirmed submission. */
  doneText: string;
  doneTitle: string;
  /** The kind's text about the consequence of [Send again]; '' if there is none. */
  sentTwiceText: string;
  /** The kind's text about a 404; '' if it has none. */
  notFoundText: string;
  text: string;
  /** Notes at the end of a confirmed submission's details. */
  notes: readonly string[];
  details: readonly KnownBlock[];
  doneButtons: ReturnType<NonNullable<AnyKind['copy']['renderDoneButtons']>>;
  refusal: ServiceRefusal | undefined;
}

/** Renders the text of a submission. If the content was purged or is unreadable, renders only the state. */
export function renderSubmission(
  machine: Pick<Machine, 'encryption' | 'findKind' | 'log'>,
  row: SubmissionRow,
  context: TextContext,
): RenderedSubmission {
  const kind = machine.findKind(row.kind);
  const rule = getRule(row);
  const noun = row.kind.replaceAll('-', ' ');
  const refusal = openRefusal(machine, row);
  const common = { id: row.id, rule, noun, refusal };
  const contentResult = readContent(machine, kind, row);
  if (!kind || !contentResult) {
    const fallbackTexts = {
      title: `Your ${noun}`,
      doneText: 'Done.',
      doneTitle: rule.title,
      sentTwiceText: '',
      notFoundText: '',
      text: '',
      notes: [],
    };
    return { ...common, ...fallbackTexts, details: [], doneButtons: [] };
  }
  const { content } = contentResult;
  const { copy } = kind;
  const submission = {
    id: row.id,
    isShared: row.shared_at !== null,
    ...(row.channel !== null && { channel: row.channel }),
  };
  return {
    ...common,
    title: copy.renderTitle(content, context),
    doneText: copy.renderDone(content, context),
    doneTitle: copy.renderDoneTitle?.(content) ?? rule.title,
    sentTwiceText: copy.renderSentTwice?.(content) ?? '',
    notFoundText: copy.renderNotFound?.(content) ?? '',
    text: copy.getText(content),
    notes: [
      ...(copy.renderDoneNote ? [copy.renderDoneNote(content)] : []),
      ...(context.isEmulated ? [EMULATOR_NOTICE] : []),
    ],
    details: copy.renderDetails(content, context),
    doneButtons: copy.renderDoneButtons?.(content, submission) ?? [],
  };
}
