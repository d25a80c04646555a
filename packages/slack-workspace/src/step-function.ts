import { getRecord, getString, getStrings, isRecord, type Json } from './json.ts';

/** An input or output of a step. */
export interface StepParameter {
  name: string;
  /** `string`, `slack#/types/user_id` … */
  type: string;
  /** The type of the items of an `array`. */
  itemType?: string;
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
  const required = getStrings(given, 'required');
  return Object.entries(getRecord(given, 'properties') ?? given).flatMap(([name, about]) => {
    if (!isRecord(about)) return [];
    const itemType = getString(getRecord(about, 'items') ?? {}, 'type');
    return [
      {
        name,
        type: getString(about, 'type') ?? 'string',
        ...(itemType !== undefined && { itemType }),
        title: getString(about, 'title') ?? name,
        description: getString(about, 'description') ?? '',
        isRequired: about.is_required === true || required.includes(name),
      },
    ];
  });
}

export function readStepFunctions(manifest: Json): StepFunction[] {
  return Object.entries(getRecord(manifest, 'functions') ?? {}).flatMap(([callbackId, about]) => {
    if (!isRecord(about)) return [];
    return [
      {
        callbackId,
        title: getString(about, 'title') ?? callbackId,
        description: getString(about, 'description') ?? '',
        inputs: readParameters(getRecord(about, 'input_parameters') ?? {}),
        outputs: readParameters(getRecord(about, 'output_parameters') ?? {}),
      },
    ];
  });
}
