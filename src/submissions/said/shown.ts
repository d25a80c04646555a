import type { KnownBlock } from '@slack/types';
import { PRACTICE_NOTICE } from '../../slack/practice.ts';
import type { AnyKind, Seen } from '../kind.ts';
import type { Machine } from '../machine.ts';
import { readContent } from '../read-content.ts';
import type { SubmissionRow } from '../sql/submissions.ts';
import { ruleOf } from '../state-cases.ts';
import { openReason, type Reason } from '../submission.ts';

/** A submission as it is shown: its row, and what of it can be read. */
export interface Shown {
  id: string;
  rule: ReturnType<typeof ruleOf>;
  /** "post", "invitation" …, for sentences. */
  noun: string;
  title: string;
  /** In the kind's own words, once it is done. */
  done: string;
  doneTitle: string;
  /** What a second sending may do; '' where it can do no harm. */
  sentTwice: string;
  /** In the kind's own words, where the service does not know what it is about; '' where the usual ones fit. */
  notFound: string;
  text: string;
  /** Small print, once it is done. */
  notes: readonly string[];
  details: readonly KnownBlock[];
  doneButtons: ReturnType<NonNullable<AnyKind['words']['doneButtons']>>;
  reason: Reason | undefined;
}

/** Pure but for the seals that it opens. */
export function shownOf(
  machine: Pick<Machine, 'encryption' | 'kindOf' | 'log'>,
  row: SubmissionRow,
  seen: Seen,
): Shown {
  const kind = machine.kindOf(row.kind);
  const rule = ruleOf(row);
  const noun = row.kind.replaceAll('-', ' ');
  const reason = openReason(machine, row);
  const same = { id: row.id, rule, noun, reason };
  const read = readContent(machine, kind, row);
  if (!kind || !read) {
    const gone = {
      title: `Your ${noun}`,
      done: 'Done.',
      doneTitle: rule.title,
      sentTwice: '',
      notFound: '',
      text: '',
      notes: [],
    };
    return { ...same, ...gone, details: [], doneButtons: [] };
  }
  const { content } = read;
  const { words } = kind;
  const at = {
    id: row.id,
    shared: row.shared_at !== null,
    ...(row.channel !== null && { channel: row.channel }),
  };
  return {
    ...same,
    title: words.title(content, seen),
    done: words.done(content, seen),
    doneTitle: words.doneTitle?.(content) ?? rule.title,
    sentTwice: words.sentTwice?.(content) ?? '',
    notFound: words.notFound?.(content) ?? '',
    text: words.text(content),
    notes: [
      ...(words.doneNote ? [words.doneNote(content)] : []),
      ...(seen.practice ? [PRACTICE_NOTICE] : []),
    ],
    details: words.details(content, seen),
    doneButtons: words.doneButtons?.(content, at) ?? [],
  };
}
