import { isRecord, type Json, recordIn, stringIn, stringsIn } from './json.ts';

/** An input or output of a step. */
export interface StepParameter {
  name: string;
  /** `string`, `slack#/types/user_id` … */
  type: string;
  title: string;
  description: string;
  isRequired: boolean;
}

/** A workflow step of the app: one of the manifest's `functions`. */
export interface StepFunction {
  callbackId: string;
  title: string;
  description: string;
  inputs: StepParameter[];
  outputs: StepParameter[];
}

/**
 * Reads the two forms of parameters: either in the object itself, each with `is_required`, or in `properties`, next to
 * a list `required` (slack-samples/bolt-js-custom-step-template; the manifest's schema 0.5.0).
 */
function readParameters(given: Json): StepParameter[] {
  const required = stringsIn(given, 'required');
  return Object.entries(recordIn(given, 'properties') ?? given).flatMap(([name, about]) => {
    if (!isRecord(about)) return [];
    return [
      {
        name,
        type: stringIn(about, 'type') ?? 'string',
        title: stringIn(about, 'title') ?? name,
        description: stringIn(about, 'description') ?? '',
        isRequired: about.is_required === true || required.includes(name),
      },
    ];
  });
}

export function readStepFunctions(manifest: Json): StepFunction[] {
  return Object.entries(recordIn(manifest, 'functions') ?? {}).flatMap(([callbackId, about]) => {
    if (!isRecord(about)) return [];
    return [
      {
        callbackId,
        title: stringIn(about, 'title') ?? callbackId,
        description: stringIn(about, 'description') ?? '',
        inputs: readParameters(recordIn(about, 'input_parameters') ?? {}),
        outputs: readParameters(recordIn(about, 'output_parameters') ?? {}),
      },
    ];
  });
}
