/** How often each field has been given a new value from here; fields that are not listed have 0. */
export type Generations = Readonly<Record<string, number>>;

/** The action_id of a field's element, and of a form's own buttons. */
export function actionId(form: string, name: string): string {
  return `${form}.${name}`;
}

/**
 * The block_id of a field. Slack keeps what was typed where the id stays, and takes initial values only where it
 * changes: a field that gets its value from here has the next generation.
 */
export function blockId(field: string, generations: Generations): string {
  return `${field}.${generations[field] ?? 0}`;
}

/** The generations of a form as it stands, from the ids of its blocks. */
export function generationsOf(fields: readonly string[], blockIds: readonly string[]): Generations {
  const found = blockIds.flatMap((id) => {
    const [, field = '', digits] = /^([\w-]+)\.(\d{1,5})$/.exec(id) ?? [];
    return fields.includes(field) ? [[field, Number(digits)] as const] : [];
  });
  return Object.fromEntries(found);
}

/** Those fields are about to get values from here. */
export function nextGenerations(generations: Generations, fields: readonly string[]): Generations {
  const next = fields.map((field) => [field, (generations[field] ?? 0) + 1] as const);
  return { ...generations, ...Object.fromEntries(next) };
}

/** What Slack keeps of a form: its version and its opaque id. */
export function formMetadata(version: number, formId: string): string {
  return `${version}.${formId}`;
}

/** The id of a form of this version; undefined for every other. */
export function formIdOf(version: number, metadata: string): string | undefined {
  const [found, id] = metadata.split('.');
  return found === String(version) && id !== undefined && id !== '' ? id : undefined;
}
