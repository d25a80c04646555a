import type { ModalView } from '@slack/types';
import { clip } from '../../../slack/clip.ts';
import type { Message } from '../../../slack/message.ts';
import { troubleWords } from '../../../slack/service-trouble.ts';
import type { Words } from '../../../submissions/answer.ts';
import type { Problem, Reason } from '../../../submissions/submission.ts';
import { blockId, type Field, fieldOf } from '../form/fields.ts';
import { buildForm, type FormState } from '../form/form.ts';
import type { PostContent } from '../form/form-facts.ts';
import {
  confirmedMessage,
  confirmedView,
  notSavedMessage,
  refusedMessage,
  type Seen,
  sendingView,
  unknownMessage,
  unknownView,
} from './sent-views.ts';

/** A service may find thousands of things wrong; so many stand on top, and so much under a field. */
const MOST_ON_TOP = 5;
const FIELD_LENGTH = 500;

const KEPT = 'Your text is still here.';

/** What the form says in each state of what was submitted with it. */
export function formWords(
  form: Omit<FormState, 'banner' | 'others' | 'warnings'>,
  seen: Seen,
): Words<PostContent, ModalView, Message> {
  const standing = new Set(form.loaded.projects.length > 1 || form.loaded.more ? ['project'] : []);
  const canShow = (field: Field | undefined) =>
    field !== undefined && (field !== 'project' || standing.has('project'));
  return {
    inline(reason) {
      if (reason.kind !== 'invalid' || reason.problems.length === 0) return undefined;
      const { byField, others } = sorted(reason.problems, canShow);
      if (others.length > 0) return undefined;
      return Object.fromEntries([...byField].map(([field, text]) => [blockId(field, form.generation), text]));
    },
    again(why, how) {
      const generation = how === 'rebuilt' ? form.generation + 1 : form.generation;
      const { byField, others } = sorted(
        why !== 'not-saved' && why.kind === 'invalid' ? why.problems : [],
        canShow,
      );
      return buildForm({
        ...form,
        generation,
        banner: bannerWords(why, byField.size),
        others: lines(others),
        warnings: Object.fromEntries(byField),
      });
    },
    sending: (content) => sendingView(content, seen),
    ended: (end) =>
      end.state === 'confirmed' ? confirmedView(end.submission, seen) : unknownView(end.submission, seen),
    message(end) {
      switch (end.state) {
        case 'confirmed':
          return confirmedMessage(end.submission, seen);
        case 'unknown':
          return unknownMessage(end.submission, seen);
        case 'refused':
          return refusedMessage(end.submission, refusalWords(end.reason), seen);
        case 'not-saved':
          return notSavedMessage(form.typed);
      }
    },
  };
}

/** The service's messages by the field that each names; the others as they are. */
function sorted(problems: readonly Problem[], canShow: (field: Field | undefined) => boolean) {
  const byField = new Map<Field, string>();
  const others: string[] = [];
  for (const { field: name, message } of problems) {
    const field = fieldOf(name);
    if (field && canShow(field)) {
      const before = byField.get(field);
      byField.set(field, clip(before === undefined ? message : `${before} ${message}`, FIELD_LENGTH));
    } else others.push(named({ field: name, message }));
  }
  return { byField, others };
}

/** With the service's own name of what it is about. */
function named({ field, message }: Pick<Problem, 'field' | 'message'>): string {
  return field === undefined ? message : `${field}: ${message}`;
}

/** One line for each, as far as they are worth reading; plain text, so that none of it is longer than it looks. */
function lines(texts: readonly string[]): string {
  const listed = texts.slice(0, MOST_ON_TOP).map((text) => `• ${clip(text, FIELD_LENGTH)}`);
  const rest = texts.length - listed.length;
  return [...listed, ...(rest > 0 ? [`…and ${rest} more.`] : [])].join('\n');
}

function bannerWords(why: Reason | 'not-saved', fields: number): string {
  if (why === 'not-saved') return `:warning: *Not saved.* ${KEPT} Try again.`;
  if (why.kind !== 'invalid')
    return `:warning: *Not sent, and nothing was saved.* ${troubleWords(why)} ${KEPT} Press Send to try again.`;
  const count =
    fields === 0 ? '' : ` ${fields === 1 ? 'One field needs' : `${fields} fields need`} a change.`;
  return `:warning: *Not sent.* The service did not accept this.${count} ${KEPT}`;
}

/** For a direct message: what happened, and what the service said. */
function refusalWords(reason: Reason): { why: string; said: string } {
  if (reason.kind !== 'invalid') return { why: troubleWords(reason), said: '' };
  return { why: 'The service did not accept this.', said: lines(reason.problems.map(named)) };
}
