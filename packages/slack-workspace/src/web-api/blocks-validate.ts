import { getRecords, isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { findBlockProblems, findViewProblems } from '../rules/find-problems.ts';
import type { Problem } from '../rules/problem.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { type Call, InvalidArguments, type Method, readJson } from './call.ts';

const SUBJECTS = ['blocks', 'message', 'view'] as const;

/** Reads the one argument to validate. */
function readSubject(call: Call): { subject: (typeof SUBJECTS)[number]; value: unknown } {
  const present = SUBJECTS.filter((name) => call.args[name] !== undefined && call.args[name] !== '');
  const [subject] = present;
  if (subject === undefined || present.length > 1) {
    throw new InvalidArguments('must provide exactly one of `blocks`, `view`, or `message`');
  }
  const value = readJson(call, subject, 'invalid_arguments');
  const maxLength = SLACK_LIMITS.validatedJsonLength.value;
  if (JSON.stringify(value).length > maxLength) {
    throw new InvalidArguments(
      `[ERROR] must be less than ${maxLength + 1} characters [json-pointer:/${subject}]`,
    );
  }
  return { subject, value };
}

/** Makes JSON pointers relative to the argument: `oldRoot` at their start is replaced with `newRoot`. */
function rebasePointers(problems: readonly Problem[], oldRoot: string, newRoot = ''): Problem[] {
  return problems.map((problem) => ({
    ...problem,
    pointer: newRoot + problem.pointer.slice(oldRoot.length),
  }));
}

function checkBlocks(blocks: unknown, pointer: string): Problem[] {
  if (!Array.isArray(blocks)) return [{ message: 'must provide an array', pointer }];
  return rebasePointers(findBlockProblems(blocks), '/blocks', pointer);
}

function checkMessage(message: Json): Problem[] {
  return [
    ...('blocks' in message ? checkBlocks(message.blocks, '/blocks') : []),
    ...getRecords(message, 'attachments').flatMap((attachment, index) =>
      'blocks' in attachment ? checkBlocks(attachment.blocks, `/attachments/${index}/blocks`) : [],
    ),
  ];
}

function checkSubject({ subject, value }: ReturnType<typeof readSubject>): Problem[] {
  if (subject === 'blocks') return checkBlocks(value, '');
  if (!isRecord(value)) return [{ message: 'must provide an object', pointer: '' }];
  return subject === 'message' ? checkMessage(value) : rebasePointers(findViewProblems(value), '/view');
}

/**
 * Returns the problems for which Slack would refuse the argument. The shape is that of the example in
 * docs.slack.dev/reference/methods/blocks.validate. It shows a `constraint` only for lists of allowed values.
 */
export const blocksValidate: Method = (call) => {
  const { subject, value } = readSubject(call);
  const errors = checkSubject({ subject, value }).map(({ message, pointer, allowedValues }) => ({
    code: 'failed_constraint',
    message,
    pointer,
    ...(allowedValues ? { constraint: { type: 'enum', expected: allowedValues } } : {}),
  }));
  if (errors.length > 0) throw new Refusal(`invalid_${subject}`, { errors });
  return {};
};
