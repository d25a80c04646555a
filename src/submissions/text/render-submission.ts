import type { KnownBlock } from '@slack/types';
import { EMULATOR_NOTICE } from '../../slack/emulator-notice.ts';
import type { AnyKind, Seen } from '../kind.ts';
import type { Machine } from '../machine.ts';
import { readContent } from '../read-content.ts';
import type { SubmissionRow } from '../sql/submissions.ts';
import { ruleOf } from '../state-copy.ts';
import { openRefusal, type ServiceRefusal } from '../submission.ts';

/** A submission with all its text, ready for blocks. */
export interface Shown {
  id: string;
  rule: ReturnType<typeof ruleOf>;
  /** "post", "invitation" …, for sentences. */
  noun: string;
  title: string;
  /** The kind's text for a confirmed submission. */
  done: string;
  doneTitle: string;
  /** The consequence of sending it twice; '' if there is none. */
  sentTwice: string;
  /** The kind's text for a 404; '' for the usual text. */
  notFound: string;
  text: string;
  /** Small print of a confirmed submission. */
  notes: readonly string[];
  details: readonly KnownBlock[];
  doneButtons: ReturnType<NonNullable<AnyKind['words']['doneButtons']>>;
  refusal: ServiceRefusal | undefined;
}

/** Pure except for decryption. */
export function renderSubmission(
  machine: Pick<Machine, 'encryption' | 'kindOf' | 'log'>,
  row: SubmissionRow,
  seen: Seen,
): Shown {
  const kind = machine.kindOf(row.kind);
  const rule = ruleOf(row);
  const noun = row.kind.replaceAll('-', ' ');
  const refusal = openRefusal(machine, row);
  const same = { id: row.id, rule, noun, refusal };
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
    done: words.renderDone(content, seen),
    doneTitle: words.doneTitle?.(content) ?? rule.title,
    sentTwice: words.sentTwice?.(content) ?? '',
    notFound: words.notFound?.(content) ?? '',
    text: words.text(content),
    notes: [
      ...(words.doneNote ? [words.doneNote(content)] : []),
      ...(seen.practice ? [EMULATOR_NOTICE] : []),
    ],
    details: words.details(content, seen),
    doneButtons: words.doneButtons?.(content, at) ?? [],
  };
}
