import { getStateField } from '../blocks/element-values.ts';
import { isRecord, type Json, recordIn, recordsIn, stringIn, textIn } from '../json.ts';
import type { ElementState, Person, ViewValues } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findChannel, findPerson } from '../state/directory.ts';
import { renderMrkdwn } from './render-mrkdwn.ts';

interface Reading {
  site: Site;
  reader: Person;
  values: ViewValues;
}

function readText(reading: Reading, object: Json | undefined): string {
  const text = object && stringIn(object, 'text');
  if (text === undefined) return '';
  return object?.type === 'mrkdwn' ? renderMrkdwn(reading.site, reading.reader, text) : text;
}

/** A value as text: an option's text, the name of a file, person or conversation, or the written text. */
function describeChoice(site: Site, value: unknown): string {
  if (isRecord(value)) return textIn(value, 'text') ?? stringIn(value, 'name') ?? readDeep(value);
  const text = String(value);
  const channel = findChannel(site, text);
  return findPerson(site, text)?.realName ?? (channel ? `#${channel.name}` : text);
}

/** The value of an element, as the person sees it. */
export function readState(site: Site, state: ElementState | undefined): string {
  const field = state && getStateField(state.type);
  const value = field === undefined ? undefined : state?.[field];
  if (value === null || value === undefined) return '';
  return (Array.isArray(value) ? value : [value]).map((entry) => describeChoice(site, entry)).join(', ');
}

const BUTTON_TYPES = new Set(['button', 'icon_button', 'workflow_button']);

function readElement(reading: Reading, block: Json, element: Json): string {
  const label = textIn(element, 'text');
  if (BUTTON_TYPES.has(String(element.type))) return `[${label ?? ''}]`;
  if (element.type === 'feedback_buttons') {
    const sides = [recordIn(element, 'positive_button'), recordIn(element, 'negative_button')];
    return sides.map((side) => `[${(side && textIn(side, 'text')) ?? ''}]`).join(' ');
  }
  if (element.type === 'overflow') return '[More options]';
  if (element.type === 'image') return stringIn(element, 'alt_text') ?? '';
  if (element.type === 'plain_text' || element.type === 'mrkdwn') return readText(reading, element);
  const state = reading.values[stringIn(block, 'block_id') ?? '']?.[stringIn(element, 'action_id') ?? ''];
  const value = readState(reading.site, state);
  const hasList = element.type === 'checkboxes' || element.type === 'radio_buttons';
  const options = hasList ? recordsIn(element, 'options').map((option) => textIn(option, 'text') ?? '') : [];
  return [...options, `(${value === '' ? (textIn(element, 'placeholder') ?? '') : value})`].join(' ');
}

function readDeep(value: unknown): string {
  if (Array.isArray(value)) return value.map(readDeep).join('');
  if (!isRecord(value)) return '';
  const emoji = value.type === 'emoji' ? `:${stringIn(value, 'name')}:` : '';
  return emoji + (stringIn(value, 'text') ?? '') + readDeep(value.elements);
}

/** `Write the digest (in_progress)`, with its details, output and sources. */
function readTask(task: Json): string {
  return [
    `${stringIn(task, 'title')} (${stringIn(task, 'status')})`,
    readDeep(recordIn(task, 'details')),
    readDeep(recordIn(task, 'output')),
    ...recordsIn(task, 'sources').map((source) => stringIn(source, 'text') ?? ''),
  ].join('\n');
}

function readTable(rows: unknown): string {
  return (Array.isArray(rows) ? rows : [])
    .map((row: unknown) => (Array.isArray(row) ? row.map(readDeep).join(' | ') : ''))
    .join('\n');
}

/** `Monday: 12`, under the name of its series. */
function readChart(chart: Json): string[] {
  const line = ({ label, value }: Json) => `${label}: ${value}`;
  const series = recordsIn(chart, 'series').flatMap((one) => [
    stringIn(one, 'name') ?? '',
    ...recordsIn(one, 'data').map(line),
  ]);
  return [...recordsIn(chart, 'segments').map(line), ...series];
}

function readBlock(reading: Reading, block: Json): string {
  const inside = (key: string) => {
    const element = recordIn(block, key);
    return element ? readElement(reading, block, element) : '';
  };
  switch (block.type) {
    case 'input':
      return [
        readText(reading, recordIn(block, 'label')),
        inside('element'),
        readText(reading, recordIn(block, 'hint')),
      ].join('\n');
    case 'section':
      return [
        readText(reading, recordIn(block, 'text')),
        ...recordsIn(block, 'fields').map((field) => readText(reading, field)),
        inside('accessory'),
      ].join('\n');
    case 'actions':
    case 'context':
    case 'context_actions':
      return recordsIn(block, 'elements')
        .map((element) => readElement(reading, block, element))
        .join(' ');
    case 'image':
      return [readText(reading, recordIn(block, 'title')), stringIn(block, 'alt_text') ?? ''].join('\n');
    case 'markdown':
      return stringIn(block, 'text') ?? '';
    case 'rich_text':
      return readDeep(block.elements);
    case 'card':
      return [
        ...['title', 'subtitle', 'body'].map((key) => readText(reading, recordIn(block, key))),
        ...recordsIn(block, 'actions').map((element) => readElement(reading, block, element)),
      ].join('\n');
    case 'carousel':
      return readBlocks(reading, recordsIn(block, 'elements'));
    case 'container':
      return [
        readText(reading, recordIn(block, 'title')),
        readDeep(recordIn(block, 'rich_text_title')),
        readText(reading, recordIn(block, 'subtitle')),
        readBlocks(reading, recordsIn(block, 'child_blocks')),
      ].join('\n');
    case 'plan':
      return [stringIn(block, 'title') ?? '', readBlocks(reading, recordsIn(block, 'tasks'))].join('\n');
    case 'task_card':
      return readTask(block);
    case 'data_visualization':
      return [stringIn(block, 'title') ?? '', ...readChart(recordIn(block, 'chart') ?? {})].join('\n');
    case 'data_table':
    case 'table':
      return [stringIn(block, 'caption') ?? '', readTable(block.rows)].join('\n');
    default:
      return readText(reading, recordIn(block, 'text'));
  }
}

/** Blocks as a person reads them, with one element on each line, buttons in brackets and values in parentheses. */
export function readBlocks(reading: Reading, blocks: readonly Json[]): string {
  return blocks
    .flatMap((block) => readBlock(reading, block).split('\n'))
    .filter((line) => line.trim() !== '')
    .join('\n');
}
