import { createHash } from 'node:crypto';
import type { StepFunction, StepParameter } from '../app-manifest.ts';
import { isRecord, type Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { getHolder, listSteps } from '../state/apps.ts';
import { endStepToken, findStepToken, grantStepToken } from '../state/grants.ts';
import { makeId, makeSecret } from '../state/ids.ts';
import type { StepRun } from '../state/saved-state.ts';
import { makeTrigger } from '../state/triggers-and-response-urls.ts';
import { makeWordSet } from '../words.ts';
import { sendEvent } from './payloads.ts';

/** Types of parameters that Slack fills in: the person, and the pointer that opens a form for them. */
const FILLED_BY_SLACK = makeWordSet('slack#/types/interactivity slack#/types/user_context');

const OBJECT_TYPES = makeWordSet(
  'object slack#/types/interactivity slack#/types/user_context slack#/types/message_context',
);
/** Objects or lists. */
const JSON_TYPES = makeWordSet('slack#/types/rich_text slack#/types/expanded_rich_text slack#/types/blocks');

/** Slack's own types are ids and other strings, except for a few objects. */
function isOfType(type: string, value: unknown): boolean {
  if (type === 'integer' || type === 'slack#/types/timestamp') return Number.isInteger(value);
  if (type === 'number' || type === 'boolean') return typeof value === type;
  if (type === 'array') return Array.isArray(value);
  if (OBJECT_TYPES.has(type)) return isRecord(value);
  if (JSON_TYPES.has(type)) return typeof value === 'object' && value !== null;
  return typeof value === 'string' && (value !== '' || type === 'string');
}

/** Finds missing and mistyped values of a step. Slack's texts aren't documented, so these are our own. */
function findValueProblems(parameters: readonly StepParameter[], values: Json): string[] {
  return parameters.flatMap(({ name, type, isRequired }) => {
    const value = values[name];
    if (value === undefined || value === null)
      return isRequired ? [`missing required parameter: ${name}`] : [];
    return isOfType(type, value) ? [] : [`parameter ${name} must be of type ${type}`];
  });
}

/**
 * The validity of a step's token after the end of the step. Slack ends both together (slackapi/bolt-python #1075), but
 * slack-samples/bolt-js-custom-step-template still updates a message right after the end. The duration is our own
 * choice.
 */
const TOKEN_GRACE_MS = 5_000;

export function findStepRun(site: Site, id: string): StepRun | undefined {
  return site.state.stepRuns.find((run) => run.id === id);
}

/** Finds a run of this app's steps. Runs that earlier versions stored name no app, and belong to the first one. */
export function findOwnStepRun(site: Site, id: string): StepRun | undefined {
  const run = findStepRun(site, id);
  const isOwn = run?.app === undefined ? site.apps[0] === site : run.app === site.state.app.id;
  return isOwn ? run : undefined;
}

export function listStepRuns(site: Site, person: string): StepRun[] {
  return site.state.stepRuns.filter((run) => run.person === person);
}

function findFunction(site: Site, callbackId: string): StepFunction {
  const found = listSteps(site).find((step) => step.callbackId === callbackId);
  if (!found) throw new Refusal('function_not_found');
  return found;
}

function buildParameterParts(parameters: readonly StepParameter[]): Json[] {
  return parameters.map(({ name, type, title, description, isRequired }) => ({
    type,
    name,
    description,
    title,
    is_required: isRequired,
  }));
}

/** A function in the shape of its event (recorded by bolt-python, tests/scenario_tests/test_function.py). */
function buildFunctionPart(
  site: Site,
  { callbackId, title, description, inputs, outputs }: StepFunction,
): Json {
  const hash = createHash('sha256').update(callbackId).digest('hex').toUpperCase();
  return {
    id: `Fn${hash.slice(0, 9)}`,
    callback_id: callbackId,
    title,
    description,
    type: 'app',
    input_parameters: buildParameterParts(inputs),
    output_parameters: buildParameterParts(outputs),
    app_id: site.state.app.id,
    date_created: 1_700_000_000,
    date_updated: 1_700_000_000,
    date_deleted: 0,
  };
}

function buildInteractivityPart(person: string, pointer: string): Json {
  return { interactor: { secret: makeSecret(16), id: person }, interactivity_pointer: pointer };
}

function fillInputs(site: Site, person: string, { inputs }: StepFunction, given: Json): Json {
  const filled = inputs.flatMap(({ name, type }) => {
    if (type === 'slack#/types/interactivity')
      return [[name, buildInteractivityPart(person, makeTrigger(site, person))]];
    return type === 'slack#/types/user_context' ? [[name, { id: person, secret: makeSecret(16) }]] : [];
  });
  return { ...given, ...Object.fromEntries(filled) };
}

function sendStepRuns(site: Site, person: string): void {
  site.touch();
  site.audience.sendTo([person], { type: 'changed', parts: { stepRuns: listStepRuns(site, person) } });
}

/**
 * Starts a step of the app, as a workflow would. The step ends when the app calls functions.completeSuccess or
 * functions.completeError. Throws if the inputs don't fit the manifest.
 */
export function runStep(site: Site, person: string, callbackId: string, given: Json): StepRun {
  if (!site.manifest.events.includes('function_executed'))
    throw new Refusal('not_subscribed_to_function_executed');
  const step = findFunction(site, callbackId);
  const typed = step.inputs.filter(({ type }) => !FILLED_BY_SLACK.has(type));
  const [problem] = findValueProblems(typed, given);
  if (problem !== undefined) throw new Refusal(problem);
  const run: StepRun = {
    id: makeId('Fx'),
    workflow: makeId('Wx'),
    callbackId,
    app: site.state.app.id,
    title: step.title,
    person,
    inputs: fillInputs(site, person, step, given),
    state: 'running',
    startedAt: site.now(),
  };
  site.state.stepRuns.push(run);
  const scopes = site.manifest.scopes ?? [];
  const grant = grantStepToken(
    site.slack,
    { holder: getHolder(site), user: site.state.app.botUserId, run: run.id, scopes },
    site.now(),
  );
  sendStepRuns(site, person);
  sendEvent(site, 'function_executed', {
    function: buildFunctionPart(site, step),
    inputs: run.inputs,
    function_execution_id: run.id,
    workflow_execution_id: run.workflow,
    bot_access_token: grant.token,
  });
  return run;
}

function endRun(site: Site, run: StepRun): void {
  sendStepRuns(site, run.person);
  site.runAfter(TOKEN_GRACE_MS, () => endStepToken(site.slack, run.id));
}

/** Ends a step successfully. Throws if the outputs don't fit the manifest. */
export function completeStep(site: Site, run: StepRun, outputs: Json): void {
  const messages = findValueProblems(findFunction(site, run.callbackId).outputs, outputs);
  if (messages.length > 0)
    throw new Refusal('parameter_validation_failed', { response_metadata: { messages } });
  Object.assign(run, { state: 'completed', outputs });
  endRun(site, run);
}

/** Ends a step with an error, which Slackbot shows (docs.slack.dev/reference/methods/functions.completeError). */
export function failStep(site: Site, run: StepRun, error: string): void {
  Object.assign(run, { state: 'failed', error });
  endRun(site, run);
  site.audience.sendTo([run.person], { type: 'notice', text: `“${run.title}” failed: ${error}` });
}

/**
 * The fields of interactions with the message or form of a step (bolt-python, tests/scenario_tests/test_function_*.py).
 * Interactions with forms name the function by its callback_id only.
 */
export function buildStepPart(
  site: Site,
  person: string,
  { run: runId, pointer, isForm }: { run: string | undefined; pointer: string; isForm: boolean },
): Json {
  const run = runId === undefined ? undefined : findStepRun(site, runId);
  if (!run) return {};
  const about = isForm
    ? { callback_id: run.callbackId }
    : buildFunctionPart(site, findFunction(site, run.callbackId));
  return {
    function_data: { execution_id: run.id, function: about, inputs: run.inputs },
    interactivity: buildInteractivityPart(person, pointer),
    bot_access_token: findStepToken(site.slack, run.id),
  };
}
