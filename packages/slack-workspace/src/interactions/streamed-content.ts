import { addIds } from '../blocks/add-ids.ts';
import { getRecord, getRecords, getString, isRecord, type Json } from '../json.ts';
import type { Stream } from '../state/saved-agents.ts';

/** A part of a streamed message (@slack/types 3.2.0, chunk.d.ts). */
export type Chunk =
  | { type: 'markdown_text'; text: string }
  | { type: 'task_update'; task: Json }
  | { type: 'plan_update'; title: string }
  | { type: 'blocks'; blocks: Json[] };

interface Content {
  text: string;
  blocks: Json[];
}

function withText({ text, blocks }: Content, more: string): Content {
  const last = blocks.at(-1);
  const isText = last?.type === 'markdown';
  const block = isText
    ? { ...last, text: `${getString(last, 'text')}${more}` }
    : { type: 'markdown', text: more };
  return { text: text + more, blocks: [...(isText ? blocks.slice(0, -1) : blocks), ...addIds([block])] };
}

/** Appends streamed text to the details or the output of a task. */
function appendText(before: Json | undefined, more: unknown): Json | undefined {
  if (typeof more !== 'string') return before;
  const [section] = before ? getRecords(before, 'elements') : [];
  const [first] = section ? getRecords(section, 'elements') : [];
  const text = `${(first && getString(first, 'text')) ?? ''}${more}`;
  return {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
  };
}

function withTaskUpdate(before: Json | undefined, update: Json): Json {
  const details = appendText(before && getRecord(before, 'details'), update.details);
  const output = appendText(before && getRecord(before, 'output'), update.output);
  const sources = [...(before ? getRecords(before, 'sources') : []), ...getRecords(update, 'sources')];
  return {
    type: 'task_card',
    ...(before && 'block_id' in before ? { block_id: before.block_id } : {}),
    task_id: update.id,
    title: update.title,
    status: update.status,
    ...(details ? { details } : {}),
    ...(output ? { output } : {}),
    ...(sources.length > 0 ? { sources } : {}),
  };
}

/** Replaces the task with the same id, or appends the task. */
function withTask(tasks: readonly Json[], update: Json): Json[] {
  const index = tasks.findIndex((task) => task.type === 'task_card' && task.task_id === update.id);
  const task = withTaskUpdate(tasks[index], update);
  return index < 0 ? [...tasks, task] : tasks.with(index, task);
}

/** Changes the plan, or appends one. Its title defaults to the title of its first task. */
function withPlan(blocks: readonly Json[], change: (plan: Json) => Json): Json[] {
  const index = blocks.findIndex(({ type }) => type === 'plan');
  const plan = blocks[index] ?? { type: 'plan', title: '', tasks: [] };
  const changed = change(plan);
  const title =
    getString(changed, 'title') || getString(getRecords(changed, 'tasks')[0] ?? {}, 'title') || '';
  const titled = { ...changed, title };
  return index < 0 ? [...blocks, titled] : blocks.with(index, titled);
}

/** Appends a chunk to a message. A plan's title has no effect if the tasks are a timeline. */
export function withChunk(content: Content, chunk: Chunk, tasks: Stream['tasks']): Content {
  const { text, blocks } = content;
  switch (chunk.type) {
    case 'markdown_text':
      return withText(content, chunk.text);
    case 'blocks':
      return { text, blocks: [...blocks, ...addIds(chunk.blocks)] };
    case 'task_update': {
      const changed =
        tasks === 'timeline'
          ? withTask(blocks, chunk.task)
          : withPlan(blocks, (plan) => ({ ...plan, tasks: withTask(getRecords(plan, 'tasks'), chunk.task) }));
      return { text, blocks: addIds(changed) };
    }
    case 'plan_update':
      if (tasks === 'timeline') return content;
      return { text, blocks: addIds(withPlan(blocks, (plan) => ({ ...plan, title: chunk.title }))) };
  }
}

const STATUSES = new Set(['pending', 'in_progress', 'complete', 'error']);

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isTask(chunk: Json): boolean {
  const { id, title, status, details, output, sources = [] } = chunk;
  const areSourcesComplete =
    Array.isArray(sources) &&
    sources.every(
      (source) => isRecord(source) && typeof source.url === 'string' && typeof source.text === 'string',
    );
  return (
    typeof id === 'string' &&
    typeof title === 'string' &&
    STATUSES.has(String(status)) &&
    [details, output].every(isText) &&
    areSourcesComplete
  );
}

/** Reads a chunk. Undefined if Slack refuses it. Its blocks aren't checked here. */
export function readChunk(given: unknown): Chunk | undefined {
  if (!isRecord(given)) return undefined;
  const { type, text, title, blocks } = given;
  if (type === 'markdown_text' && typeof text === 'string') return { type, text };
  if (type === 'plan_update' && typeof title === 'string') return { type, title };
  if (type === 'blocks' && Array.isArray(blocks)) return { type, blocks: getRecords(given, 'blocks') };
  return type === 'task_update' && isTask(given) ? { type, task: given } : undefined;
}
