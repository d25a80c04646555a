import { isRecord, type Json, recordsIn } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { findBlockProblems, findViewProblems } from '../rules/find-problems.ts';
import type { Problem } from '../rules/problem.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { type Call, type Method, nestedArg } from './call.ts';

const KINDS = ['blocks', 'message', 'view'] as const;

function refuseArguments(message: string): Refusal {
  return new Refusal('invalid_arguments', { response_metadata: { messages: [message] } });
}

/** The one thing to validate. */
function subjectArg(call: Call): { kind: (typeof KINDS)[number]; value: unknown } {
  const given = KINDS.filter((kind) => call.args[kind] !== undefined && call.args[kind] !== '');
  const [kind] = given;
  if (kind === undefined || given.length > 1) {
    throw refuseArguments('must provide exactly one of `blocks`, `view`, or `message`');
  }
  const value = nestedArg(call, kind, 'invalid_arguments');
  if (JSON.stringify(value).length > SLACK_LIMITS.validatedJsonLength.value) {
    const most = SLACK_LIMITS.validatedJsonLength.value + 1;
    throw refuseArguments(`[ERROR] must be less than ${most} characters [json-pointer:/${kind}]`);
  }
  return { kind, value };
}

/** Pointers begin at the thing itself. */
function below(root: string, problems: readonly Problem[], pointer = ''): Problem[] {
  return problems.map((problem) => ({ ...problem, pointer: pointer + problem.pointer.slice(root.length) }));
}

function problemsOfList(blocks: unknown, pointer: string): Problem[] {
  if (!Array.isArray(blocks)) return [{ message: 'must provide an array', pointer }];
  return below('/blocks', findBlockProblems(blocks), pointer);
}

function problemsOfMessage(message: Json): Problem[] {
  return [
    ...('blocks' in message ? problemsOfList(message.blocks, '/blocks') : []),
    ...recordsIn(message, 'attachments').flatMap((attachment, index) =>
      'blocks' in attachment ? problemsOfList(attachment.blocks, `/attachments/${index}/blocks`) : [],
    ),
  ];
}

function problemsOf({ kind, value }: ReturnType<typeof subjectArg>): Problem[] {
  if (kind === 'blocks') return problemsOfList(value, '');
  if (!isRecord(value)) return [{ message: 'must provide an object', pointer: '' }];
  return kind === 'message' ? problemsOfMessage(value) : below('/view', findViewProblems(value));
}

/**
 * Says what Slack would refuse, with the constraint that it breaks. The shape is that of the example in
 * docs.slack.dev/reference/methods/blocks.validate, which shows the constraints of lists of values only.
 */
export const blocksValidate: Method = (call) => {
  const subject = subjectArg(call);
  const errors = problemsOf(subject).map(({ message, pointer, allowedValues }) => ({
    code: 'failed_constraint',
    message: message,
    pointer,
    ...(allowedValues ? { constraint: { type: 'enum', expected: allowedValues } } : {}),
  }));
  if (errors.length > 0) throw new Refusal(`invalid_${subject.kind}`, { errors });
  return {};
};
