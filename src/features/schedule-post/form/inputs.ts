import type { InputBlock } from '@slack/types';
import { platformChoices } from '../../../posts/platforms.ts';
import { option, plain } from '../../../slack/blocks.ts';
import { clip } from '../../../slack/clip.ts';
import { LIMITS } from '../../../slack/limits.ts';
import { searchZones } from '../../../when/zones.ts';
import { actionId, type Field } from './fields.ts';
import type { Typed } from './form-facts.ts';

/** No moment takes more words. */
const WHEN_LENGTH = 200;

export function textInput(
  field: Field,
  value: string,
  options: { multiline?: boolean } = {},
): InputBlock['element'] {
  return {
    type: 'plain_text_input',
    action_id: actionId(field),
    max_length: LIMITS.inputText,
    ...options,
    ...initialValue(value, LIMITS.inputText),
  };
}

export function whenInput(value: string): InputBlock['element'] {
  return {
    type: 'plain_text_input',
    action_id: actionId('when'),
    max_length: WHEN_LENGTH,
    placeholder: plain('tomorrow 9am', LIMITS.placeholder),
    dispatch_action_config: { trigger_actions_on: ['on_enter_pressed', 'on_character_entered'] },
    ...initialValue(value, WHEN_LENGTH),
  };
}

/**
 * Never longer than Slack takes, which would refuse the whole view: its clients let people type more, where they
 * count characters and not UTF-16 units. A form that stands keeps what was typed all the same.
 */
function initialValue(value: string, limit: number): { initial_value?: string } {
  return value === '' ? {} : { initial_value: clip(value.toWellFormed(), limit) };
}

export function platformSelect(chosen: readonly string[]): InputBlock['element'] {
  const options = platformChoices().map(({ platform, name }) => option(name, platform));
  const initial = options.filter(({ value }) => value !== undefined && chosen.includes(value));
  return {
    type: 'multi_static_select',
    action_id: actionId('platforms'),
    placeholder: plain('Where it goes', LIMITS.placeholder),
    options,
    ...(initial.length > 0 && { initial_options: initial }),
  };
}

export function statusRadio(status: Typed['status']): InputBlock['element'] {
  const [scheduled, draft] = [option('Scheduled', 'SCHEDULED'), option('Draft', 'DRAFT')];
  return {
    type: 'radio_buttons',
    action_id: actionId('status'),
    options: [scheduled, draft],
    initial_option: status === 'DRAFT' ? draft : scheduled,
  };
}

export function zoneSelect(zone: string, now: Date): InputBlock['element'] {
  const label = searchZones(zone, now).find((choice) => choice.zone === zone)?.label ?? zone;
  return {
    type: 'external_select',
    action_id: actionId('zone'),
    min_query_length: 0,
    placeholder: plain('Search for a city or zone', LIMITS.placeholder),
    ...(zone !== '' && { initial_option: option(label, zone) }),
  };
}

export function templateSelect(template: Typed['template']): InputBlock['element'] {
  return {
    type: 'external_select',
    action_id: actionId('template'),
    min_query_length: 0,
    placeholder: plain('None', LIMITS.placeholder),
    ...(template && { initial_option: option(template.name, template.id) }),
  };
}
