import { stateField } from '../blocks/element-state.ts';
import { isRecord, type Json, recordIn, recordsIn, stringIn, wordsIn } from '../json.ts';
import type { ElementState, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { channelById, personById } from '../state/directory.ts';
import { visibleMrkdwn } from './visible-mrkdwn.ts';

interface Reading {
  site: Site;
  reader: Person;
  values: ViewValues;
}

function words(reading: Reading, object: Json | undefined): string {
  const text = object && stringIn(object, 'text');
  if (text === undefined) return '';
  return object?.type === 'mrkdwn' ? visibleMrkdwn(reading.site, reading.reader, text) : text;
}

/** A value as text: an option's text, the name of a file, person or conversation, or what was written. */
function choice(site: Site, value: unknown): string {
  if (isRecord(value)) return wordsIn(value, 'text') ?? stringIn(value, 'name') ?? deepText(value);
  const text = String(value);
  const channel = channelById(site, text);
  return personById(site, text)?.realName ?? (channel ? `#${channel.name}` : text);
}

/** What an element holds, in the words that stand in it. */
export function shownState(site: Site, state: ElementState | undefined): string {
  const field = state && stateField(state.type);
  const value = field === undefined ? undefined : state?.[field];
  if (value === null || value === undefined) return '';
  return (Array.isArray(value) ? value : [value]).map((entry) => choice(site, entry)).join(', ');
}

const PRESSED = new Set(['button', 'icon_button', 'workflow_button']);

function elementText(reading: Reading, block: Json, element: Json): string {
  const label = wordsIn(element, 'text');
  if (PRESSED.has(String(element.type))) return `[${label ?? ''}]`;
  if (element.type === 'feedback_buttons') {
    const sides = [recordIn(element, 'positive_button'), recordIn(element, 'negative_button')];
    return sides.map((side) => `[${(side && wordsIn(side, 'text')) ?? ''}]`).join(' ');
  }
  if (element.type === 'overflow') return '[More options]';
  if (element.type === 'image') return stringIn(element, 'alt_text') ?? '';
  if (element.type === 'plain_text' || element.type === 'mrkdwn') return words(reading, element);
  const state = reading.values[stringIn(block, 'block_id') ?? '']?.[stringIn(element, 'action_id') ?? ''];
  const shown = shownState(reading.site, state);
  const listed = element.type === 'checkboxes' || element.type === 'radio_buttons';
  const offered = listed ? recordsIn(element, 'options').map((option) => wordsIn(option, 'text') ?? '') : [];
  return [...offered, `(${shown === '' ? (wordsIn(element, 'placeholder') ?? '') : shown})`].join(' ');
}

function deepText(value: unknown): string {
  if (Array.isArray(value)) return value.map(deepText).join('');
  if (!isRecord(value)) return '';
  const emoji = value.type === 'emoji' ? `:${stringIn(value, 'name')}:` : '';
  return emoji + (stringIn(value, 'text') ?? '') + deepText(value.elements);
}

/** `Write the digest (in_progress)`, with its details, output and sources. */
function taskText(task: Json): string {
  return [
    `${stringIn(task, 'title')} (${stringIn(task, 'status')})`,
    deepText(recordIn(task, 'details')),
    deepText(recordIn(task, 'output')),
    ...recordsIn(task, 'sources').map((source) => stringIn(source, 'text') ?? ''),
  ].join('\n');
}

function tableText(rows: unknown): string {
  return (Array.isArray(rows) ? rows : [])
    .map((row: unknown) => (Array.isArray(row) ? row.map(deepText).join(' | ') : ''))
    .join('\n');
}

/** `Monday: 12`, under the name of its series. */
function chartLines(chart: Json): string[] {
  const line = ({ label, value }: Json) => `${label}: ${value}`;
  const series = recordsIn(chart, 'series').flatMap((one) => [
    stringIn(one, 'name') ?? '',
    ...recordsIn(one, 'data').map(line),
  ]);
  return [...recordsIn(chart, 'segments').map(line), ...series];
}

function blockText(reading: Reading, block: Json): string {
  const inside = (key: string) => {
    const element = recordIn(block, key);
    return element ? elementText(reading, block, element) : '';
  };
  switch (block.type) {
    case 'input':
      return [
        words(reading, recordIn(block, 'label')),
        inside('element'),
        words(reading, recordIn(block, 'hint')),
      ].join('\n');
    case 'section':
      return [
        words(reading, recordIn(block, 'text')),
        ...recordsIn(block, 'fields').map((field) => words(reading, field)),
        inside('accessory'),
      ].join('\n');
    case 'actions':
    case 'context':
    case 'context_actions':
      return recordsIn(block, 'elements')
        .map((element) => elementText(reading, block, element))
        .join(' ');
    case 'image':
      return [words(reading, recordIn(block, 'title')), stringIn(block, 'alt_text') ?? ''].join('\n');
    case 'markdown':
      return stringIn(block, 'text') ?? '';
    case 'rich_text':
      return deepText(block.elements);
    case 'card':
      return [
        ...['title', 'subtitle', 'body'].map((key) => words(reading, recordIn(block, key))),
        ...recordsIn(block, 'actions').map((element) => elementText(reading, block, element)),
      ].join('\n');
    case 'carousel':
      return visibleText(reading, recordsIn(block, 'elements'));
    case 'container':
      return [
        words(reading, recordIn(block, 'title')),
        deepText(recordIn(block, 'rich_text_title')),
        words(reading, recordIn(block, 'subtitle')),
        visibleText(reading, recordsIn(block, 'child_blocks')),
      ].join('\n');
    case 'plan':
      return [stringIn(block, 'title') ?? '', visibleText(reading, recordsIn(block, 'tasks'))].join('\n');
    case 'task_card':
      return taskText(block);
    case 'data_visualization':
      return [stringIn(block, 'title') ?? '', ...chartLines(recordIn(block, 'chart') ?? {})].join('\n');
    case 'data_table':
    case 'table':
      return [stringIn(block, 'caption') ?? '', tableText(block.rows)].join('\n');
    default:
      return words(reading, recordIn(block, 'text'));
  }
}

/** Blocks as a person reads them, one thing on a line; buttons in brackets, what fields hold in parentheses. */
export function visibleText(reading: Reading, blocks: readonly Json[]): string {
  return blocks
    .flatMap((block) => blockText(reading, block).split('\n'))
    .filter((line) => line.trim() !== '')
    .join('\n');
}
