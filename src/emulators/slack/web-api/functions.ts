import { completeStep, failStep, findOwnStepRun } from '../interactions/run-step.ts';
import { isRecord } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { StepRun } from '../state/saved-agents.ts';
import { type Call, type Method, readJson, readRequired } from './call.ts';

/** Reads the id of a running step of this app. A step's token is valid only for this step. */
function readRunningStep(call: Call): StepRun {
  const run = findOwnStepRun(call.site, readRequired(call, 'function_execution_id'));
  if (!run) throw new Refusal('function_execution_not_found');
  const runOfToken = call.grant?.run;
  if (runOfToken !== undefined && runOfToken !== run.id) throw new Refusal('access_denied');
  if (run.state !== 'running') throw new Refusal('execution_not_in_running_state');
  return run;
}

export const functionsCompleteSuccess: Method = (call) => {
  const run = readRunningStep(call);
  const outputs = readJson(call, 'outputs', 'invalid_arguments') ?? readRequired(call, 'outputs');
  if (!isRecord(outputs)) throw new Refusal('invalid_arguments');
  completeStep(call.site, run, outputs);
  return {};
};

export const functionsCompleteError: Method = (call) => {
  const run = readRunningStep(call);
  failStep(call.site, run, readRequired(call, 'error'));
  return {};
};
