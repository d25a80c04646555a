/** The inputs of the form, in the order in which they stand. */
export const FIELDS = [
  'project',
  'text',
  'platforms',
  'status',
  'when',
  'zone',
  'media',
  'template',
  'prompt',
] as const;
export type Field = (typeof FIELDS)[number];

export const FORM = 'schedule-post';
/** Rises when the fields change: a form of another version is told so, and nothing of it is guessed. */
export const FORM_VERSION = 1;

/** The action_id of a field's element. */
export function actionId(field: Field): string {
  return `${FORM}.${field}`;
}

/**
 * The block_id of a field. Slack keeps what was typed where the id stays, and takes initial values only where it
 * changes: a form that is rebuilt from what was kept has the next generation.
 */
export function blockId(field: Field, generation: number): string {
  return `${field}.${generation}`;
}

/** The generation of a form as it stands, from the ids of its blocks. */
export function generationOf(blockIds: readonly string[]): number {
  const found = blockIds
    .map((id) => /^text\.(\d{1,4})$/.exec(id)?.[1])
    .find((digits) => digits !== undefined);
  return Number(found ?? 0);
}

/** Which field a name of the service's belongs to, as its 422 gives it in `loc`. */
const FIELD_OF: Readonly<Record<string, Field>> = {
  Content: 'text',
  Media: 'media',
  TemplateId: 'template',
  PromptId: 'prompt',
  ScheduleDate: 'when',
  Timezone: 'zone',
  Platforms: 'platforms',
  Status: 'status',
  project_id: 'project',
};

export function fieldOf(name: string | undefined): Field | undefined {
  return name !== undefined && Object.hasOwn(FIELD_OF, name) ? FIELD_OF[name] : undefined;
}
